import { pathWords } from "../document/value-lines.ts";
import { pathOf } from "../document/pointers.ts";

/** The field of a definition that a text is, for people: "Name", "Objectives › #1 › description". */
export const fieldWords = (pointer: string): string => pathWords(pathOf(pointer).map(String));
