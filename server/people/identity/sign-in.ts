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

/** A new session with its owner, for the browser to remember; or the refusal in words. */
export type SignedIn = { sessionId: string; owner: DeviceOwner } | { refusal: string };

/** The same for an address that nobody has and for a password that is wrong. */
const MISMATCH = "Wrong email or password.";

/** Longer ones nobody has (passwords.ts); they would only be work. */
const LONGEST_PASSWORD = 1000;

/** Replaces an unknown person: their mark is searched for as long as anybody's. */
const NOBODY: DeviceOwner = { userId: "00000000-0000-0000-0000-000000000000", passwordHash: NOBODYS };

/**
 * Signs somebody in with their password. Failures are counted by account and by address, and from some of them on there are waits;
 * neither the words nor the time they take tell whether there is such an account. `knownDevice` says by which mark the browser has
 * signed in to it before: then its own failures count alone.
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
  const password = credentials.password.slice(0, LONGEST_PASSWORD);
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
