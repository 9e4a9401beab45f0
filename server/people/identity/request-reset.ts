import type { Database } from "#db/client.ts";
import { beginMail } from "./count-attempts.ts";
import { emailProblem, plainEmail } from "../../model/identity/emails.ts";
import { RESET_MS } from "../../model/identity/links.ts";
import { makeLinkToken } from "./make-link-token.ts";
import { upsertReset } from "./store/resets.ts";
import { selectUserByEmail } from "./store/users.ts";

/**
 * Makes a link for a forgotten password, to be mailed to the address; null if there is nothing to send. It does not replace an Admin's
 * link, since the request needs no sign-in.
 */
export async function requestReset(
  database: Database,
  email: string,
  address: string | null,
): Promise<{ token: string; email: string } | null> {
  const plain = plainEmail(email).slice(0, 300);
  const { waitMs } = await beginMail(database, plain, address);
  const user = waitMs > 0 || emailProblem(plain) !== null ? null : await selectUserByEmail(database.sql, plain);
  if (user === null) return null;
  const { token, hash } = makeLinkToken();
  await upsertReset(database.sql, { userId: user.id, maker: null, tokenHash: hash, lastsMs: RESET_MS });
  return { token, email: user.email };
}
