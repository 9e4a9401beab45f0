import type { Draft } from "../document/draft.ts";
import { emptyText } from "../document/text.ts";

/** Members of a definition that only the team sees. */
export const blankNamed = (language: string): Draft => ({ key: "", name: emptyText(language), active: true });

/** Members of a definition that players see. */
export const blankShown = (language: string): Draft => ({ ...blankNamed(language), description: emptyText(language), images: {} });

export const everyone = () => ({ rule: null, otherwise: "Locked" });
export const always = () => ({ startsAt: null, endsAt: null });
