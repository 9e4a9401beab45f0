import { capitalised } from "../../components/words.ts";

/** Words that begin with a verb as a sentence of their own. */
export function asSentence(words: string): string {
  const text = words.trim();
  if (text === "") return "Something is wrong here.";
  const begun = capitalised(text);
  return /[.?!…]$/.test(begun) ? begun : `${begun}.`;
}
