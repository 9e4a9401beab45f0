import { randomBytes } from "node:crypto";
import { TOKEN_BYTES, tokenHash, writeToken } from "../../model/identity/links.ts";

/** A new token for a link; only its hash is stored. */
export function makeLinkToken(): { token: string; hash: Buffer } {
  const token = writeToken(randomBytes(TOKEN_BYTES));
  return { token, hash: tokenHash(token)! };
}
