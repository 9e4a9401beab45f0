import type { Database } from "#db/client.ts";
import { waitInWords } from "../../model/identity/attempts.ts";
import { type Browser, shortened } from "../../model/identity/browser.ts";
import { beginSignIn } from "./count-attempts.ts";
import type { DeviceOwner } from "../../model/identity/devices.ts";
import { emailProblem, plainEmail } from "../../model/identity/emails.ts";
import { BUSY, isPasswordOf } from "./hash-password.ts";
import { NOBODYS } from "../../model/identity/passwords.ts";
import { insertSessionByPassword } from "./store/sessions.ts";
import { selectUserByEmail } from "./store/users.ts";

/** A new session with its owner, for the device cookie; or the refusal in words. */
export type SignedIn = { sessionId: string; owner: DeviceOwner } | { refusal: string };

/** The same for an unknown address and a wrong password. */
const MISMATCH = "Wrong email or password.";

/** No password is longer (passwords.ts): hashing a longer one would be wasted work. */
const MAX_PASSWORD_LENGTH = 1000;

/** Stands in for an unknown person, so that checking the device cookie takes as long. */
const NOBODY: DeviceOwner = { userId: "00000000-0000-0000-0000-000000000000", passwordHash: NOBODYS };

/**
 * Signs in with a password. Failures are counted by account and by address, and too many cause waits; neither message nor timing reveals
 * whether the account exists. `knownDevice` finds the cookie of a browser that has signed in to it before: then only its failures count.
 */
export async function signIn(
  database: Database,
  credentials: { email: string; password: string },
  browser: Browser,
  knownDevice: (owner: DeviceOwner) => string | null = () => null,
): Promise<SignedIn> {
  const email = plainEmail(credentials.email).slice(0, 300);
  const user = emailProblem(email) === null ? await selectUserByEmail(database.sql, email) : null;
  const owner = user?.passwordHash == null ? null : { userId: user.id, passwordHash: user.passwordHash };
  const device = knownDevice(owner ?? NOBODY);
  const attempt = await beginSignIn(database, email, browser.address, device);
  if (attempt.waitMs > 0) return { refusal: `Too many attempts have failed. Try again in ${waitInWords(attempt.waitMs)}.` };
  const password = credentials.password.slice(0, MAX_PASSWORD_LENGTH);
  const isIt = await isPasswordOf(password, owner?.passwordHash ?? null, device !== null);
  if (isIt === null) {
    await attempt.withdrawn();
    return { refusal: BUSY };
  }
  const sessionId = isIt && owner !== null ? await insertSessionByPassword(database.sql, owner, shortened(browser)) : null;
  if (sessionId === null || owner === null) return { refusal: MISMATCH };
  await attempt.succeeded();
  return { sessionId, owner };
}
