/** Words that begin with a verb as a sentence of their own. */
export function asSentence(words: string): string {
  const text = words.trim();
  if (text === "") return "Something is wrong here.";
  const begun = text[0]!.toUpperCase() + text.slice(1);
  return /[.?!…]$/.test(begun) ? begun : `${begun}.`;
}
