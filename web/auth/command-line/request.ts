/** A program's request for access, as described by the link that it prints. */
export interface LoginRequest {
  /** The SHA-256 of its token, in hex. */
  hash: string;
  /** The last four characters of its token. */
  lastFour: string;
  /** The program's name for itself; the user may change it. */
  name: string;
}

const REQUEST = /^([0-9a-f]{64})([0-9a-f]{4})$/;
const MAX_NAME_LENGTH = 100;

/** Null for links that the command line did not print. */
export function loginRequestFrom({ request, name }: Record<string, string | string[] | undefined>): LoginRequest | null {
  const [, hash, lastFour] = REQUEST.exec(typeof request === "string" ? request : "") ?? [];
  if (hash === undefined || lastFour === undefined) return null;
  return { hash, lastFour, name: (typeof name === "string" ? name : "").slice(0, MAX_NAME_LENGTH) };
}
