import { type Database, transact, type Transaction } from "#db/client.ts";
import type { InProject } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { findMember, lockScopedRoles, recordAboutPerson } from "./member-changes.ts";
import { emailProblem, plainEmail, RESET_MS, tokenHash } from "../../model/identity/mails.ts";
import { makeLinkToken, mayStillReset } from "./links.ts";
import { maySetPassword } from "../../model/identity/scoped-role.ts";
import { lockOrganization, type MemberRow, selectScopedRolesOf } from "./store/memberships.ts";
import { selectReset, takeReset, upsertReset } from "./store/resets.ts";
import { lockPerson, selectUserByEmail } from "./store/users.ts";
import { beginMail, forgiveAccount } from "./count-attempts.ts";
import type { Browser } from "../../model/identity/browser.ts";
import type { DeviceOwner } from "../../model/identity/devices.ts";
import { selectFactor } from "./store/second-factors.ts";
import { BUSY, hashedInTurn } from "./hash-password.ts";
import { openSession } from "./sessions.ts";
import { passwordProblem } from "../../model/identity/passwords.ts";
import { setPassword } from "./change-password.ts";

/** Makes a link to set a member's password, for an Admin to hand on. Throws OperatorError if the caller may not. */
export async function makeReset(database: Database, where: InProject, membershipId: string): Promise<{ token: string; email: string }> {
  const { token, hash } = makeLinkToken();
  const { email } = await transact(database, async (tx) => {
    const member = await memberToUnlock(tx, where, membershipId, "password");
    const { actor, person, project } = where;
    const maker = { userId: person.userId, organizationId: project.organizationId };
    await upsertReset(tx, { userId: member.userId, maker, tokenHash: hash, lastsMs: RESET_MS });
    await recordAboutPerson(tx, member.userId, { actor, action: "reset_password", subjectKey: member.email, difference: null });
    return member;
  });
  return { token, email };
}

/** A member whose sign-in the caller may change, locked until the end of the transaction. Throws OperatorError if the caller may not. */
export async function memberToUnlock(
  tx: Transaction,
  where: InProject,
  membershipId: string,
  what: "password" | "second factor",
): Promise<MemberRow> {
  const own = await lockScopedRoles(tx, where);
  const member = await findMember(tx, where, membershipId);
  if (member.userId === where.person.userId) throw new OperatorError(`Change your own ${what} on the page of your account.`);
  await lockPerson(tx, member.userId);
  if (!maySetPassword(own, where.project.organizationId, await selectScopedRolesOf(tx, [member.userId]))) {
    throw new OperatorError(`${member.email} has roles that are not yours to give, so their ${what} is not yours to set. Ask an Owner.`);
  }
  return member;
}

/**
 * Makes a link for a forgotten password, to be mailed to the address; null for an unknown address, and after too many requests. It does not
 * replace an Admin's link, since the request needs no sign-in.
 */
export async function requestReset(database: Database, email: string, address: string | null) {
  const plain = plainEmail(email).slice(0, 300);
  const { waitMs } = await beginMail(database, plain, address);
  const user = waitMs > 0 || emailProblem(plain) !== null ? null : await selectUserByEmail(database.sql, plain);
  if (user === null) return null;
  const { token, hash } = makeLinkToken();
  await upsertReset(database.sql, { userId: user.id, maker: null, tokenHash: hash, lastsMs: RESET_MS });
  return { token, email: user.email };
}

/** The person whose password a link sets; null if it expired, was used or is void. */
export async function findReset({ sql }: Database, token: string): Promise<{ email: string } | null> {
  const hash = tokenHash(token);
  const found = hash === null ? null : await selectReset(sql, hash);
  return found !== null && (await mayStillReset(sql, found)) ? { email: found.email } : null;
}

/** `secondStep`: a code is required. `problem` is about the password, `refusal` about the link. */
export type PasswordSet =
  | { sessionId: string; owner: DeviceOwner }
  | { secondStep: DeviceOwner }
  | { problem: string }
  | { refusal: string };

const GONE = { refusal: "This link has expired or been used. Ask for a new one." };

/** Sets a new password by a link, ends every session, token and remembered device, and signs in, unless a second factor is required. */
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
    const owner = { userId, passwordHash };
    if ((await selectFactor(tx, userId))?.confirmedAt != null) return { secondStep: owner };
    return { sessionId: await openSession(tx, userId, browser), owner };
  });
  if ("sessionId" in done) await forgiveAccount(database, found.email);
  return done;
}
