// Text as the engine hands it out (engine/json/lesson_json.h): a small tree, never markup.

export type Span =
  | { readonly type: "text" | "code" | "value"; readonly text: string }
  | { readonly type: "emphasis"; readonly spans: readonly Span[] };

export type Block =
  | { readonly type: "paragraph"; readonly spans: readonly Span[] }
  | { readonly type: "list"; readonly items: readonly (readonly Span[])[] };

export type Prose = readonly Block[];
