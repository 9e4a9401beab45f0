import type { Draft } from "../document/draft.ts";
import { emptyText } from "../document/text.ts";

/** Of a definition that only people of the project see. */
export const blankNamed = (language: string): Draft => ({ key: "", name: emptyText(language), active: true });

/** Of a definition that players see. */
export const blankShown = (language: string): Draft => ({ ...blankNamed(language), description: emptyText(language), images: {} });

export const everyone = () => ({ rule: null, otherwise: "Locked" });
export const always = () => ({ startsAt: null, endsAt: null });
