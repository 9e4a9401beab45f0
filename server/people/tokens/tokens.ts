import { randomBytes } from "node:crypto";
import { type Database, transact, type Transaction } from "#db/client.ts";
import { recordChange } from "../audit-log/record.ts";
import { findUser } from "../identity/accounts.ts";
import { COMMAND_LINE, type InProject, type Role, rolesByEnvironment } from "../../model/kernel/environment.ts";
import type { FieldProblem } from "../../model/kernel/problem.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import {
  bearerToken,
  type CallingToken,
  hashOfToken,
  MAX_IN_FORCE,
  MAX_IN_FORCE_IN_PROJECT,
  MAX_MADE_A_DAY,
  seesAll,
  TOKEN_BYTES,
  tokenDifference,
  tokenEntry,
  tokenHint,
  tokenProblems,
  type TokenRequest,
  type WantedToken,
  writePersonalToken,
} from "../../model/tokens/token.ts";
import type { AuditEntry } from "../../model/audit-log/entry.ts";
import * as store from "./store.ts";

type InProjectByMaker = InProject & { person: store.TokenMaker };

/**
 * Creates a personal token for one project. It is shown once, since only its hash is stored. Problems are returned by field. Throws
 * OperatorError if the person has no role in the project.
 */
export async function createToken(
  database: Database,
  where: InProjectByMaker,
  wanted: WantedToken,
  token = writePersonalToken(randomBytes(TOKEN_BYTES)),
): Promise<{ token: string } | { problems: FieldProblem[] }> {
  const problems = await createRequestedToken(database, where, wanted, { hash: hashOfToken(token), hint: tokenHint(token) });
  return problems.length > 0 ? { problems } : { token };
}

/**
 * Approves a token that a program generated itself, as a token of this person. Problems are returned by field. Throws OperatorError as
 * `createToken` does, and if the token was already approved.
 */
export function createRequestedToken(
  database: Database,
  { person, actor, project: { organizationId, projectId } }: InProjectByMaker,
  wanted: WantedToken,
  { hash, hint }: TokenRequest,
): Promise<FieldProblem[]> {
  return transact(database, async (tx) => {
    if (!(await store.lockMaker(tx, projectId, person))) throw new OperatorError("Your session has ended. Sign in to make a token.");
    const memberships = await store.lockMembershipsIn(tx, person.userId, { organizationId, projectId });
    const roles = rolesByEnvironment(memberships);
    const membership = memberships.find(({ role }) => role === roles?.sandbox);
    if (roles === null || !membership) throw new OperatorError("A token is for members of the project.");
    const found = tokenProblems(wanted, wanted.environment === "live" ? roles.live : roles.sandbox);
    if (found.length > 0) return found;
    mustBeWithinBounds(await store.countTokens(tx, projectId, person.userId));
    const { role, environment, days } = wanted;
    const kept = { name: wanted.name.trim(), hint, role, environment };
    const expiresAt = await store.insertToken(tx, { ...kept, membershipId: membership.id, projectId, hash, days });
    if (expiresAt === null) throw new OperatorError("This request was approved before. Ask for another one with `engagement login`.");
    await recordChange(tx, {
      ...tokenEntry(projectId, actor, kept.name),
      action: "create",
      difference: tokenDifference({ ...kept, expiresAt: formatInstant(expiresAt) }),
    });
    return [];
  });
}

function mustBeWithinBounds({ inProject, own, ofDay }: Awaited<ReturnType<typeof store.countTokens>>): void {
  if (own >= MAX_IN_FORCE) throw new OperatorError(`There are ${MAX_IN_FORCE} tokens in force already. Revoke those that nothing uses.`);
  if (inProject >= MAX_IN_FORCE_IN_PROJECT)
    throw new OperatorError(`The project has ${MAX_IN_FORCE_IN_PROJECT} tokens in force already. Revoke those that nothing uses.`);
  if (ofDay >= MAX_MADE_A_DAY)
    throw new OperatorError(`A person makes at most ${MAX_MADE_A_DAY} tokens in 24 hours, revoked ones too. Keep one for longer, or wait.`);
}

/** Creates a token of the person with that address, on the command line: `token`, or a random one. Returns it. Throws OperatorError. */
export async function createTokenFor(
  database: Database,
  project: InProject["project"],
  email: string,
  wanted: WantedToken,
  token?: string,
): Promise<string> {
  const user = await findUser(database, email);
  const created = await createToken(database, { person: { userId: user.id }, actor: COMMAND_LINE, project }, wanted, token);
  if ("problems" in created) throw new OperatorError(...created.problems.map(({ message }) => message));
  return created.token;
}

type ListedToken = store.TokenRow & { isYours: boolean };

/** All valid tokens, and at least 500 ended ones. */
const MAX_LISTED = MAX_IN_FORCE_IN_PROJECT + 500;

/** A person's own tokens in a project, or all for Admins and Owners: valid ones, then ended ones, each newest first. */
export async function listTokens(
  { sql }: Database,
  { person, project, role }: Pick<InProject, "person" | "project"> & { role: Role },
): Promise<ListedToken[]> {
  const rows = await store.selectTokens(sql, project.projectId, seesAll(role) ? null : person.userId, MAX_LISTED);
  return rows.map((row) => ({ ...row, isYours: row.makerId === person.userId }));
}

/** Every token of a project, for the operator. */
export const listAllTokens = ({ sql }: Database, projectId: string): Promise<store.TokenRow[]> =>
  store.selectTokens(sql, projectId, null, MAX_LISTED);

/** A person who calls with a token. */
export interface TokenHolder {
  person: { userId: string; email: string };
  token: CallingToken;
}

/**
 * The holder of a token. Uncached, so that a revocation, an expiry and the end of the membership take effect with the next call. `refusal`
 * is the reason in words.
 */
export async function findTokenHolder({ sql }: Database, authorization: string): Promise<TokenHolder | { refusal: string }> {
  const token = bearerToken(authorization);
  const row = token === null ? null : await store.selectHeldToken(sql, hashOfToken(token));
  if (row === null)
    return { refusal: "This token is malformed or unknown, or its maker is no longer a member. API keys are not accepted here." };
  if (row.isRevoked) return { refusal: `The token "${row.name}" was revoked.` };
  if (row.isExpired) return { refusal: `The token "${row.name}" expired at ${formatInstant(row.expiresAt)}. Make a new one.` };
  // Only shown in the dashboard: the call neither waits for it nor fails with it.
  if (row.isUseDue) store.touchToken(sql, row.id).catch(() => {});
  const { userId, email, id, name, role, projectId, projectSlug, environment, expiresAt } = row;
  return { person: { userId, email }, token: { id, name, role, projectId, projectSlug, environment, expiresAt } };
}

/**
 * Revokes a token, from the next call on. People may revoke their own, Admins and Owners any of the project. Throws OperatorError if no
 * valid token of this id is theirs to revoke.
 */
export function revokeToken(database: Database, { person, actor, project, role }: InProject & { role: Role }, id: string) {
  return revoke(database, { actor, projectId: project.projectId }, id, seesAll(role) ? null : person.userId);
}

/** Revokes the calling token, from the next call on. Throws OperatorError if it has ended meanwhile. */
export const endToken = (database: Database, { id, projectId }: Pick<CallingToken, "id" | "projectId">, actor: AuditEntry["actor"]) =>
  revoke(database, { actor, projectId }, id, null);

/** Revokes any token of a project, for the operator. Throws OperatorError. */
export const revokeAnyToken = (database: Database, where: Pick<AuditEntry, "actor" | "projectId">, id: string): Promise<{ name: string }> =>
  revoke(database, where, id, null);

/** Revokes all of a person's valid tokens in every project when the transaction commits; returns their number. */
export const revokeAllOf = (tx: Transaction, userId: string): Promise<number> => store.revokeTokenRowsOf(tx, userId);

async function revoke(
  database: Database,
  { actor, projectId }: Pick<AuditEntry, "actor" | "projectId">,
  id: string,
  makerId: string | null,
): Promise<{ name: string }> {
  return transact(database, async (tx) => {
    const token = await store.revokeTokenRow(tx, projectId, id, makerId);
    if (token === null) throw new OperatorError("There is no such token in force; it may have been revoked already.");
    const difference = [{ type: "REMOVE", path: ["token"], oldValue: token.hint }];
    await recordChange(tx, { ...tokenEntry(projectId, actor, token.name), action: "revoke", difference });
    return token;
  });
}
