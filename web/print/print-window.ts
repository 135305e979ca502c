// The one place that opens windows: a worksheet in a window of its own, ready to print. The window
// shows a blob of this page and so lives under this page's policy, which allows the worksheets' one
// style sheet by its hash (web/tool/policy.mjs) and no script at all.

/** What became of a window. */
export type PrintWindow =
  | { readonly type: "opened" }
  /** The browser let none open; a click on a link to `address` does it. */
  | { readonly type: "blocked"; readonly address: string };

/** How often a window is asked whether it is loaded; no browser tells its opener everywhere. */
const pollInterval_ms = 50;

let address: string | undefined;

/**
 * Shows `html` (a whole document, from the engine) in a new window and asks to print it once it is
 * loaded. To be called while a click or a key press is handled: otherwise browsers open no window.
 * The address of an earlier sheet is of no use afterwards; a window that shows it keeps it.
 */
export function openPrintWindow(html: string): PrintWindow {
  if (address) URL.revokeObjectURL(address);
  address = URL.createObjectURL(new Blob([html], { type: "text/html" }));
  const opened = window.open(address);
  if (!opened) return { type: "blocked", address };
  printWhenLoaded(opened, address);
  return { type: "opened" };
}

function printWhenLoaded(opened: Window, expected: string): void {
  const timer = setInterval(() => {
    const state = stateOf(opened, expected);
    if (state === "loading") return;
    clearInterval(timer);
    if (state === "loaded") opened.print();
  }, pollInterval_ms);
}

/** "gone" too where the learner went on to a page that is not ours to look at. */
function stateOf(opened: Window, expected: string): "loading" | "loaded" | "gone" {
  try {
    if (opened.closed) return "gone";
    // Before the sheet comes an empty page, which is complete at once.
    const isSheet = opened.location.href === expected;
    return isSheet && opened.document.readyState === "complete" ? "loaded" : "loading";
  } catch {
    return "gone";
  }
}
