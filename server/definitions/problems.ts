import { distance } from "fastest-levenshtein";

export type Path = readonly (string | number)[];

/** Something wrong at a place of a document: what it is and what to do. The message is for people and may quote the document. */
export interface Finding {
  path: Path;
  message: string;
}

/** A finding as it is shown: `pointer` is a JSON pointer (RFC 6901) into the file. */
export interface DefinitionProblem {
  pointer: string;
  message: string;
}

export const toProblem = ({ path, message }: Finding): DefinitionProblem => ({ pointer: pointerTo(path), message });

export const pointerTo = (path: Path): string =>
  path.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

const SHOWN = 100;

/** Cut where it is long. */
export const shortened = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

/** A word of the document in quotes, cut where it is long, on one line. */
export const quoted = (word: string): string => JSON.stringify(shortened(word));

export const quotedList = (words: readonly string[]): string => words.map(quoted).join(", ");

/** `; did you mean "order_placed"?`, or nothing where no candidate is close. */
export function didYouMean(word: unknown, candidates: Iterable<string>): string {
  const close = typeof word === "string" ? closest(word, candidates) : null;
  return close === null ? "" : `; did you mean ${quoted(close)}?`;
}

function closest(word: string, candidates: Iterable<string>): string | null {
  if (word.length > SHOWN) return null;
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

/** Held against every key of its kind, a thousand misspelt names take a second; more of them are no slips. */
const MOST_SUGGESTIONS = 1_000;

/** Suggestions for one file: a name that is misspelt everywhere is looked up once, and not everything is. */
export class Suggestions {
  readonly #known = new Map<string, string>();

  /** As `didYouMean`. `among` says what the candidates are. */
  for(word: string, among: string, candidates: () => Iterable<string>): string {
    const name = JSON.stringify([among, word]);
    const known = this.#known.get(name) ?? (this.#known.size < MOST_SUGGESTIONS ? didYouMean(word, candidates()) : "");
    if (this.#known.size < MOST_SUGGESTIONS) this.#known.set(name, known);
    return known;
  }
}
