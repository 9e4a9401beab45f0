/**
 * The part of an English word that its forms share, so that "erase" finds "erasing" and "deliveries" finds "delivery". It is rough: it only
 * has to give the same for what is written and for what is searched for. Words of up to four letters, and names in code, stay as they are.
 */
export function stemOf(word: string): string {
  const lower = word.toLowerCase();
  if (!/^[a-z]{5,}$/.test(lower)) return lower;
  const singular = lower.replace(/ies$/, "y").replace(/([^s])s$/, "$1");
  const plain = withoutEnding(singular, /(?:ing|ed|ure)$/);
  // Planned: plan.
  const single = plain === singular ? plain : plain.replace(/([bdfgklmnprt])\1$/, "$1");
  return single.replace(/y$/, "i").replace(/(?<=.{3})e$/, "");
}

/** Stripped only if at least three letters with a vowel remain: "string" and "need" have no ending. */
function withoutEnding(word: string, ending: RegExp): string {
  const cut = word.replace(ending, "");
  return cut.length >= 3 && /[aeiouy]/.test(cut) ? cut : word;
}
