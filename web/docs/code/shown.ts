import type { Language } from "./highlight.ts";

/** A request of the API as the documentation shows it. */
export interface ShownRequest {
  method: "GET" | "POST" | "PUT";
  /** With the query. */
  path: string;
  body?: unknown;
}

/** Embeds code of one language in another, such as JSON in a shell command. */
export interface Piece {
  language: Language;
  code: string;
}

export const codeText = (code: string | readonly Piece[]): string =>
  typeof code === "string" ? code : code.map((piece) => piece.code).join("");

/** How the frame of code looks, and its caption. */
export const FIGURE = "my-4 overflow-hidden rounded-lg border border-line bg-raised";
export const CAPTION = "flex h-9 items-center gap-2 border-b border-line pr-1 pl-3.5 text-xs text-quiet";

/** The cookie keeps the choice for a year, so that the server renders the chosen language on every page. */
export const LANGUAGE_COOKIE = "docs-language";
