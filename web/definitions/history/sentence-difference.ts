import { writeJson } from "#server/model/kernel/json.ts";
import { type Phrase, textOf } from "#server/model/rules/phrase.ts";
import type { Catalogue } from "../catalogue.ts";
import type { Draft } from "../document/draft.ts";
import type { Summarize, SummaryLine } from "../kinds/summaries.ts";

/** A changed line of the summary; empty if it was added or removed. */
export interface ChangedLine {
  term: string;
  before: readonly Phrase[];
  after: readonly Phrase[];
}

/** How two definitions differ: changed summary lines, and the members that no line covers. */
export interface DifferenceInWords {
  lines: ChangedLine[];
  members: string[];
}

export function differenceInWords(summarize: Summarize, before: Draft, after: Draft, catalogue: Catalogue): DifferenceInWords {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (member) => writeJson(before[member] ?? null) !== writeJson(after[member] ?? null),
  );
  const was = summarize(before, catalogue);
  const lines = changedLines(was, summarize(after, catalogue));
  // A line covers a member if changing that member alone, in either direction, changes the line.
  const tells = (member: string): boolean =>
    changedLines(was, summarize({ ...before, [member]: after[member] }, catalogue)).length > 0 ||
    changedLines(summarize({ ...after, [member]: before[member] }, catalogue), summarize(after, catalogue)).length > 0;
  return { lines, members: changed.filter((member) => !tells(member)) };
}

function changedLines(before: readonly SummaryLine[], after: readonly SummaryLine[]): ChangedLine[] {
  const terms = [...new Set([...before, ...after].map(({ term }) => term))];
  return terms.flatMap((term) => {
    const [was, is] = [phrasesOf(before, term), phrasesOf(after, term)];
    const [wasText, isText] = [was.map(textOf), is.map(textOf)];
    if (writeJson(wasText) === writeJson(isText)) return [];
    // List entries in both are left out, unless only their order changed.
    const [gone, come] = [was.filter((one) => !isText.includes(textOf(one))), is.filter((one) => !wasText.includes(textOf(one)))];
    return gone.length + come.length === 0 ? [{ term, before: was, after: is }] : [{ term, before: gone, after: come }];
  });
}

const phrasesOf = (lines: readonly SummaryLine[], term: string): readonly Phrase[] => lines.find((one) => one.term === term)?.phrases ?? [];
