/** The form in which an address is kept and compared. */
export const plainEmail = (email: string): string => email.trim().toLowerCase();

/** Why that is no address for mail; null when it is one. */
export const emailProblem = (email: string): string | null =>
  /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254 ? null : `"${email}" is not an e-mail address.`;
