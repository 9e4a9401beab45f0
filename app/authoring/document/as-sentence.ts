import { capitalised } from "../../_components/words.ts";
import { inPlainWords } from "./plain-words.ts";

/** The words of a problem, which begin with a verb, as a sentence of their own. */
export function asSentence(message: string): string {
  const text = inPlainWords(message.trim());
  if (text === "") return "Something is wrong here.";
  const begun = capitalised(text);
  return /[.?!…]$/.test(begun) ? begun : `${begun}.`;
}
