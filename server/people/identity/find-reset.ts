import type { Database } from "#db/client.ts";
import { mayStillReset } from "./check-links.ts";
import { tokenHash } from "../../model/identity/links.ts";
import { selectReset } from "./store/resets.ts";

/** The person whose password a link sets; null if it expired, was used or is void. */
export async function findReset({ sql }: Database, token: string): Promise<{ email: string } | null> {
  const hash = tokenHash(token);
  const found = hash === null ? null : await selectReset(sql, hash);
  return found !== null && (await mayStillReset(sql, found)) ? { email: found.email } : null;
}
