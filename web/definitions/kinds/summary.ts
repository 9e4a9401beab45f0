import type { Catalogue } from "../catalogue.ts";
import type { Draft } from "../document/draft.ts";
import { begun, type Phrase } from "#server/model/rules/phrase.ts";

/** One thing that a definition says, under what it is about. */
export interface SummaryLine {
  term: string;
  phrases: readonly Phrase[];
  /** They follow each other. */
  isOrdered?: boolean;
}

/** What a definition says, in words; it may be half filled in. */
export type Summarize = (draft: Draft, catalogue: Catalogue) => SummaryLine[];

export const line = (term: string, ...phrases: Phrase[]): SummaryLine => ({ term, phrases: phrases.map(begun) });
