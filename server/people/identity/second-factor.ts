import microdiff from "microdiff";
import { randomBytes } from "node:crypto";
import { type Database, selectNow, transact, type Transaction } from "#db/client.ts";
import {
  FACTOR_BYTES,
  factorUri,
  type FactorRequirement,
  RECOVERY_BYTES,
  RECOVERY_CODES,
  recoveryHash,
  stepOf,
  writeFactor,
  writeRecoveryCode,
} from "../../model/identity/second-factor.ts";
import { isOwnerOfAll } from "../../model/identity/scoped-role.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import type { FieldProblem } from "../../model/kernel/problem.ts";
import { COMMAND_LINE, type InProject } from "../../model/kernel/environment.ts";
import { NONCE_BYTES, type SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import { findUser } from "./accounts.ts";
import { lockScopedRoles, recordAboutMember, recordAboutPerson } from "./member-changes.ts";
import { memberToUnlock } from "./reset.ts";
import { selectScopedRoles } from "./store/memberships.ts";
import { deleteSessionsOf, selectPerson, updateProof } from "./store/sessions.ts";
import * as store from "./store/second-factors.ts";
import { lockPerson, selectUser } from "./store/users.ts";

interface SignedIn {
  userId: string;
  sessionId: string;
  email: string;
}

/** The name in the encryption of a secret, which binds it to the person. */
const nameOf = (userId: string): string => `second factor of ${userId}`;

/**
 * Makes a new secret for an authenticator app, to be shown once. The present second factor stays until `finishSetUp` gets a code of the new
 * one. Throws OperatorError for a person without a password.
 */
export async function beginSetUp(database: Database, cipher: SecretCipher, { userId, email }: SignedIn, issuer: string) {
  const secret = writeFactor(randomBytes(FACTOR_BYTES));
  const encrypted = cipher.encrypt(nameOf(userId), secret, randomBytes(NONCE_BYTES));
  await transact(database, async (tx) => {
    await lockPerson(tx, userId);
    if ((await selectUser(tx, userId))?.passwordHash == null)
      throw new OperatorError("You sign in with a provider, which checks its own second factor. Set a password first to add one here.");
    await store.upsertPendingFactor(tx, userId, encrypted);
  });
  return { secret, uri: factorUri(secret, { issuer, label: email }) };
}

/**
 * Makes the new secret the second factor, by its first code, and returns the recovery codes, which are shown once. Ends the person's other
 * sessions and remembered devices, which were opened without it.
 */
export async function finishSetUp(
  database: Database,
  cipher: SecretCipher,
  person: SignedIn,
  code: string,
): Promise<{ recoveryCodes: string[] } | { problems: FieldProblem[] }> {
  const { userId, sessionId, email } = person;
  return transact(database, async (tx) => {
    await lockPerson(tx, userId);
    const encrypted = (await store.selectFactor(tx, userId))?.pendingSecret ?? null;
    const secret = encrypted === null ? null : cipher.decrypt(nameOf(userId), encrypted);
    if (secret === null) return problem("The set-up was finished in another window, or never started. Start again.");
    const step = stepOf(secret, plainCode(code), await selectNow(tx));
    if (step === null) return problem("This code does not match. Enter the newest one, and check that the phone's clock is right.");
    await store.confirmFactor(tx, userId, step);
    await store.deleteDevices(tx, userId);
    await deleteSessionsOf(tx, userId, sessionId);
    await updateProof(tx, sessionId);
    const entry = { actor: { userId, name: email }, action: "set_up_second_factor", subjectKey: email, difference: null };
    await recordAboutPerson(tx, userId, entry);
    return { recoveryCodes: await newRecoveryCodes(tx, userId) };
  });
}

const problem = (message: string) => ({ problems: [{ pointer: "#/code", message }] });

/** Apps show codes in two halves. */
const plainCode = (text: string): string => text.replaceAll(/\s/g, "");

async function newRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => writeRecoveryCode(randomBytes(RECOVERY_BYTES)));
  await store.replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => recoveryHash(code)!),
  );
  return codes;
}

/** Replaces the recovery codes; the new ones are shown once. Throws OperatorError without a second factor. */
export const renewRecoveryCodes = (database: Database, { userId, email }: SignedIn): Promise<string[]> =>
  transact(database, async (tx) => {
    await lockPerson(tx, userId);
    if ((await store.selectFactor(tx, userId))?.confirmedAt == null) throw new OperatorError("You have no second factor.");
    const entry = { actor: { userId, name: email }, action: "renew_recovery_codes", subjectKey: email, difference: null };
    await recordAboutPerson(tx, userId, entry);
    return newRecoveryCodes(tx, userId);
  });

/** Removes a person's own second factor. Throws OperatorError if an organization requires it. */
export const removeFactor = (database: Database, { userId, email }: SignedIn): Promise<void> =>
  transact(database, async (tx) => {
    await lockPerson(tx, userId);
    if (await store.selectIsRequired(tx, userId))
      throw new OperatorError("Your organization requires a second factor. You can set up another app instead.");
    // A second press of the button finds nothing to remove.
    if (!(await dropFactor(tx, userId))) return;
    const entry = { actor: { userId, name: email }, action: "remove_second_factor", subjectKey: email, difference: null };
    await recordAboutPerson(tx, userId, entry);
  });

/** Deletes a second factor with its codes and remembered devices; false if there was none. The person must be locked. */
async function dropFactor(tx: Transaction, userId: string): Promise<boolean> {
  await store.deleteDevices(tx, userId);
  return store.deleteFactor(tx, userId);
}

/** Removes the second factor of a member who lost it, and ends their sessions; returns their address. Throws OperatorError. */
export const resetMemberFactor = (database: Database, where: InProject, membershipId: string): Promise<string> =>
  transact(database, async (tx) => {
    const member = await memberToUnlock(tx, where, membershipId, "second factor");
    await resetFactor(tx, member, where.actor);
    return member.email;
  });

/** The same for the operator, by address. Throws OperatorError. */
export async function resetFactorOf(database: Database, address: string): Promise<string> {
  const { id: userId, email } = await findUser(database, address);
  await transact(database, async (tx) => {
    await lockPerson(tx, userId);
    await resetFactor(tx, { userId, email }, COMMAND_LINE);
  });
  return email;
}

async function resetFactor(tx: Transaction, { userId, email }: { userId: string; email: string }, actor: InProject["actor"]) {
  if (!(await dropFactor(tx, userId))) throw new OperatorError(`${email} has no second factor.`);
  await deleteSessionsOf(tx, userId);
  await recordAboutPerson(tx, userId, { actor, action: "reset_second_factor", subjectKey: email, difference: null });
}

/** The result of a code. `unreadable`: the secret was encrypted under another AUTH_SECRET, so only recovery codes work. */
export type TakenCode = "app" | "recovery" | "wrong" | "unreadable";

/** Uses a code of a person's app at `now`, or a recovery code: each works once. */
export async function takeCode(tx: Transaction, cipher: SecretCipher, userId: string, text: string, now: number): Promise<TakenCode> {
  const hash = recoveryHash(text);
  if (hash !== null) return (await store.takeRecoveryCode(tx, userId, hash)) ? "recovery" : "wrong";
  const encrypted = (await store.selectFactor(tx, userId))?.secret ?? null;
  if (encrypted === null) return "wrong";
  const secret = cipher.decrypt(nameOf(userId), encrypted);
  if (secret === null) return "unreadable";
  const step = stepOf(secret, plainCode(text), now);
  return step !== null && (await store.takeStep(tx, userId, step)) ? "app" : "wrong";
}

/** Logs that a recovery code was used in place of the app. */
export const recordRecoveryCode = (tx: Transaction, { userId, email }: { userId: string; email: string }): Promise<void> =>
  recordAboutPerson(tx, userId, { actor: { userId, name: email }, action: "use_recovery_code", subjectKey: email, difference: null });

/** Why a code was not accepted. */
export const codeProblem = (taken: "wrong" | "unreadable"): string =>
  taken === "wrong"
    ? "This code is wrong or already used. Enter the next one that the app shows, or a recovery code."
    : "Codes cannot be checked since this installation's AUTH_SECRET was replaced. Use a recovery code, or ask an Owner to reset your second factor.";

/** Re-encrypts the secrets that are not encrypted under the current AUTH_SECRET; returns the people whose secret is unreadable. */
export async function reencryptFactors({ sql }: Database, cipher: SecretCipher): Promise<{ count: number; unreadable: string[] }> {
  const rows = await store.selectFactorsUnlike(sql, cipher.prefix);
  const unreadable: string[] = [];
  for (const { userId, email, secret: encrypted } of rows) {
    const secret = encrypted === null ? null : cipher.decrypt(nameOf(userId), encrypted);
    if (encrypted === null || secret === null) unreadable.push(email);
    else await store.exchangeFactor(sql, userId, encrypted, cipher.encrypt(nameOf(userId), secret, randomBytes(NONCE_BYTES)));
  }
  return { count: rows.length - unreadable.length, unreadable };
}

interface Requirement extends store.RequirementRow {
  mayChange: boolean;
}

/** Which members need a second factor in an organization, and whether a person may change that. */
export async function readRequirement({ sql }: Database, { userId }: { userId: string }, organizationId: string): Promise<Requirement> {
  const [requirement, own] = await Promise.all([
    store.selectRequirement(sql, organizationId),
    selectScopedRoles(sql, userId, organizationId),
  ]);
  return { ...requirement, mayChange: own.some(isOwnerOfAll) };
}

/**
 * Sets which members of an organization need a second factor, from their next call on; null: none. Throws OperatorError unless the caller
 * is an Owner of all of it and has a second factor.
 */
export const requireFactor = (database: Database, where: InProject & { person: SignedIn }, requirement: FactorRequirement | null) =>
  transact(database, async (tx) => {
    const { organizationId } = where.project;
    const own = await lockScopedRoles(tx, where);
    if (!own.some(isOwnerOfAll)) throw new OperatorError("Only an Owner of the whole organization can change this.");
    const before = (await store.selectRequirement(tx, organizationId)).requirement;
    if (before === requirement) return;
    await store.updateRequirement(tx, organizationId, requirement);
    if ((await selectPerson(tx, where.person.sessionId))?.isFactorDue)
      throw new OperatorError("Set up your own second factor first, on your account page.");
    const difference = microdiff({ secondFactor: before }, { secondFactor: requirement });
    const change = { actor: where.actor, action: "require_second_factor", subjectKey: null, difference };
    await recordAboutMember(tx, { organizationId, projectId: null }, change);
  });
