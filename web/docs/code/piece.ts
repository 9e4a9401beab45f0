import type { Language } from "./highlight.ts";

/** Code in one language after code in another, such as JSON in a shell. */
export interface Piece {
  language: Language;
  code: string;
}

export const codeText = (code: string | readonly Piece[]): string =>
  typeof code === "string" ? code : code.map((piece) => piece.code).join("");
