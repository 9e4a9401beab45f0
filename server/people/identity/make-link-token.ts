import { randomBytes } from "node:crypto";
import { TOKEN_BYTES, tokenHash, writeToken } from "../../model/identity/links.ts";

/** A new link for an address; what stands in it is kept as a hash alone. */
export function makeLinkToken(): { token: string; hash: Buffer } {
  const token = writeToken(randomBytes(TOKEN_BYTES));
  return { token, hash: tokenHash(token)! };
}
