import { distance } from "fastest-levenshtein";
import { fileSentence } from "../rules/file-words.ts";
import type { Finding, FindingCode, Mistake } from "../rules/finding.ts";
import { MAX_SHOWN_LENGTH, pointerTo, quoted } from "../rules/naming.ts";
import { NOUNS } from "../rules/nouns.ts";
import { type Kind, KINDS, moduleOf } from "./kinds.ts";
import { valueAt } from "./value-at.ts";

/** A finding as sent: `pointer` is a JSON pointer (RFC 6901) into the file, `message` the sentence in the file's words. */
export interface DefinitionProblem {
  pointer: string;
  message: string;
  code: FindingCode;
  params: Record<string, unknown>;
}

export const toProblem = ({ path, ...one }: Finding): DefinitionProblem => problemAt(pointerTo(path), one as Mistake);

export const problemAt = (pointer: string, one: Mistake): DefinitionProblem => ({
  pointer,
  message: fileSentence(one),
  code: one.code,
  params: { ...one.params },
});

/** Converts a pointer into the file to one into its first definition; problems of the list, or of others, point to the whole. */
export function inside(pointer: string, kind: Kind): string {
  const start = pointerTo([kind, 0]);
  return pointer.startsWith(`${start}/`) ? pointer.slice(start.length) : "";
}

/** The closest candidate to a misspelt word; null if none is close. */
export function closest(word: unknown, candidates: Iterable<string>): string | null {
  if (typeof word !== "string" || word.length > MAX_SHOWN_LENGTH) return null;
  const wanted = word.toLowerCase();
  let best: string | null = null;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const apart = distance(wanted, candidate.toLowerCase());
    if (apart >= least || apart >= candidate.length) continue;
    best = candidate;
    least = apart;
  }
  return best;
}

/** Comparing a thousand misspelt names with every key of their kind takes a second; more than that are not typos. */
const MAX_SUGGESTIONS = 1_000;

/** Suggestions for one file: a repeated name is looked up once, and the number of lookups is limited. */
export class Suggestions {
  readonly #known = new Map<string, string | null>();
  readonly #most: number;

  constructor(most = MAX_SUGGESTIONS) {
    this.#most = most;
  }

  /** As `closest`. `among` names the kind of the candidates. */
  for(word: string, among: string, candidates: () => Iterable<string>): string | null {
    const name = JSON.stringify([among, word]);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#known.size >= this.#most) return null;
    const found = closest(word, candidates());
    this.#known.set(name, found);
    return found;
  }
}

const identityOf = (kind: string): string => (KINDS.includes(kind as Kind) ? moduleOf(kind as Kind).identity : "key");

/** A problem that names its definition, for readers who cannot resolve the pointer. */
export function nameSubject(problem: DefinitionProblem, document: unknown): DefinitionProblem {
  const [, kind, at] = problem.pointer.split("/");
  const key = kind === undefined || at === undefined ? undefined : valueAt(document, [kind, at, identityOf(kind)]);
  return typeof key === "string" ? { ...problem, message: `${NOUNS[kind as Kind]} ${quoted(key)}: ${problem.message}` } : problem;
}

/** The definition of a problem, by kind and key, and the field in it; nothing for a problem of the whole file. */
export function subjectOf(problem: DefinitionProblem, document: unknown): DefinitionProblem & { kind: Kind | null; key: string | null } {
  const [, kind, at, ...field] = problem.pointer.split("/");
  const key = kind === undefined || at === undefined ? undefined : valueAt(document, [kind, Number(at), identityOf(kind)]);
  if (typeof key !== "string") return { ...problem, kind: null, key: null };
  return { ...problem, kind: kind as Kind, key, pointer: field.map((name) => `/${name}`).join("") };
}
