import { asSentence } from "./as-sentence.ts";
import { type Sent, wordsOf } from "./form-words.ts";

/** Why a definition cannot be deleted, as a sentence; null where it can be. */
export function keptBecause({ allowed, because }: { allowed: boolean; because: Sent | null }): string | null {
  if (allowed) return null;
  return asSentence(because === null ? "it can't be deleted" : wordsOf(because));
}
