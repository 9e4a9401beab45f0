import type { Catalogue } from "../catalogue.ts";
import type { Draft } from "../document/draft.ts";
import { begun, type Phrase } from "#server/model/rules/phrase.ts";

/** One statement of a summary, with its heading. */
export interface SummaryLine {
  term: string;
  phrases: readonly Phrase[];
  /** The lines are in sequence. */
  isOrdered?: boolean;
}

/** A definition's summary; it may be incomplete. */
export type Summarize = (draft: Draft, catalogue: Catalogue) => SummaryLine[];

export const line = (term: string, ...phrases: Phrase[]): SummaryLine => ({ term, phrases: phrases.map(begun) });
