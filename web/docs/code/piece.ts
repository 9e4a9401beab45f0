import type { Language } from "./highlight.ts";

/** Embeds code of one language in another, such as JSON in a shell command. */
export interface Piece {
  language: Language;
  code: string;
}

export const codeText = (code: string | readonly Piece[]): string =>
  typeof code === "string" ? code : code.map((piece) => piece.code).join("");
