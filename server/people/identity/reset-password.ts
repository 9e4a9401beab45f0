import { type Database, transact } from "#db/client.ts";
import type { Browser } from "../../model/identity/browser.ts";
import { mayStillReset } from "./check-links.ts";
import { forgiveAccount } from "./count-attempts.ts";
import type { DeviceOwner } from "../../model/identity/devices.ts";
import { BUSY, hashedInTurn } from "./hash-password.ts";
import { tokenHash } from "../../model/identity/links.ts";
import { openSession } from "./open-session.ts";
import { passwordProblem } from "../../model/identity/passwords.ts";
import { setPassword } from "./set-password.ts";
import { lockOrganization } from "./store/memberships.ts";
import { selectReset, takeReset } from "./store/resets.ts";
import { lockPerson } from "./store/users.ts";

/** `problem` is about the password, `refusal` about the link. */
export type PasswordSet = { sessionId: string; owner: DeviceOwner } | { problem: string } | { refusal: string };

const GONE = { refusal: "This link has expired or been used. Ask for a new one." };

/** Sets a new password by a link, ends every session and token, and signs in. */
export async function resetPassword(database: Database, token: string, password: string, browser: Browser): Promise<PasswordSet> {
  const hash = tokenHash(token);
  const found = hash === null ? null : await selectReset(database.sql, hash);
  if (hash === null || found === null || !(await mayStillReset(database.sql, found))) return GONE;
  const problem = passwordProblem(password, found.email);
  if (problem !== null) return { problem };
  const passwordHash = await hashedInTurn(password);
  if (passwordHash === null) return { refusal: BUSY };
  const { userId, maker } = found;
  const done = await transact(database, async (tx): Promise<PasswordSet> => {
    if (maker !== null) await lockOrganization(tx, maker.organizationId);
    await lockPerson(tx, userId);
    if (!(await takeReset(tx, hash)) || !(await mayStillReset(tx, found))) return GONE;
    // Only a link that was mailed to the address proves its ownership; an Admin has seen the others.
    await setPassword(tx, found, { passwordHash, isConfirmed: maker === null, endsTokens: true });
    return { sessionId: await openSession(tx, userId, browser), owner: { userId, passwordHash } };
  });
  if ("sessionId" in done) await forgiveAccount(database, found.email);
  return done;
}
