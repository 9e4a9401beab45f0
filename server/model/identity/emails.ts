/**
 * The form in which an address is stored and compared. Only addresses in plain characters are lower-cased: "K" (U+212A) would become a
 * "k", and so another user's address.
 */
export function plainEmail(email: string): string {
  const trimmed = email.trim();
  return isWrittenPlainly(trimmed) ? trimmed.toLowerCase() : trimmed;
}

/** Has no look-alike, invisible or bidirectional control characters. */
const isWrittenPlainly = (text: string): boolean => text.normalize("NFKC") === text && !/[\p{C}\p{Z}]/u.test(text);

/** Why the text is not a mail address; null if it is one. */
export function emailProblem(email: string): string | null {
  if (email.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(email)) return `"${email.slice(0, 254)}" is not an email address.`;
  return isWrittenPlainly(email) ? null : `"${email}" is not an email address: it has characters that only look like others.`;
}
