import { capitalised } from "../../components/words.ts";

/** A phrase that begins with a verb, as a sentence. */
export function asSentence(words: string): string {
  const text = words.trim();
  if (text === "") return "Something is wrong here.";
  const begun = capitalised(text);
  return /[.?!…]$/.test(begun) ? begun : `${begun}.`;
}
