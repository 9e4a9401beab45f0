/**
 * The form in which an address is kept and compared. Only the case of one that is written plainly is changed: "K" (U+212A) is a "k" in
 * lower case, and would be the address of somebody else.
 */
export function plainEmail(email: string): string {
  const trimmed = email.trim();
  return isWrittenPlainly(trimmed) ? trimmed.toLowerCase() : trimmed;
}

/** Without characters that only look like others, are invisible, or turn the line around. */
const isWrittenPlainly = (text: string): boolean => text.normalize("NFKC") === text && !/[\p{C}\p{Z}]/u.test(text);

/** Why that is no address for mail; null when it is one. */
export function emailProblem(email: string): string | null {
  if (email.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(email)) return `"${email.slice(0, 254)}" is not an email address.`;
  return isWrittenPlainly(email) ? null : `"${email}" is not an email address: it has characters that only look like others.`;
}
