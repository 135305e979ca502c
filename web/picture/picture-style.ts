// The engine's one style sheet of pictures, for every element that shows some.

const sheet = new CSSStyleSheet();

/** Takes in the engine's text; to be called once the engine is there. */
export function setPictureStyle(text: string): void {
  sheet.replaceSync(text);
}

/** Gives an element's shadow root the looks of pictures: those of class `lockstep-picture`. */
export function adoptPictureStyle(root: ShadowRoot): void {
  root.adoptedStyleSheets.push(sheet);
}
