import { randomBytes } from "node:crypto";
import { type Database, transact } from "../../../db/client.ts";
import type { EnvironmentKind } from "../../kernel/environment.ts";
import { Refused } from "../../kernel/refused.ts";
import { COMMAND_LINE, highest, isAtLeast, type Role } from "../../kernel/roles.ts";
import { formatInstant } from "../../kernel/time.ts";
import { plainEmail } from "../emails.ts";
import { hashOf } from "../keys.ts";
import type { SettingsProblem } from "../settings.ts";
import { type AuditEntry, insertAuditEntries } from "../store.ts";
import { selectUserByEmail } from "../store/people.ts";
import * as store from "../store/tokens.ts";
import { bearerToken, TOKEN_BYTES, type TokenBounds, tokenHint, tokenProblems, type WantedToken, writePersonalToken } from "../tokens.ts";
import type { InProject } from "./members.ts";

/** Somebody who speaks by a token of theirs. */
export interface TokenHolder {
  person: { userId: string; email: string };
  token: TokenBounds;
}

/**
 * Who speaks with a token: asked of the database each time, so that a revocation, an expiry and the end of the membership hold from
 * the next call on. `refusal` says in words why nobody does.
 */
export async function findTokenHolder({ sql }: Database, authorization: string): Promise<TokenHolder | { refusal: string }> {
  const token = bearerToken(authorization);
  const row = token === null ? null : await store.selectHeldToken(sql, hashOf(token));
  if (row === null)
    return { refusal: "This token is malformed or unknown, or its maker is no member any more. API keys open nothing here." };
  if (row.isRevoked) return { refusal: `The token "${row.name}" was revoked.` };
  if (row.isExpired) return { refusal: `The token "${row.name}" expired at ${formatInstant(row.expiresAt)}. Make a new one.` };
  // A note for people; the call neither waits for it nor fails with it.
  if (row.isUseDue) store.touchToken(sql, row.id).catch(() => {});
  const { userId, email, name, role, projectSlug, environment } = row;
  return { person: { userId, email }, token: { name, role, projectSlug, environment } };
}

/** More are nobody's need; what makes tokens by mistake in a loop stops here. */
const MOST_IN_FORCE = 100;

/**
 * A new token of a person, in one project. It is shown this once: only its hash is kept. What is wrong is said by field. Throws
 * Refused where the person has no part in the project.
 */
export async function createToken(
  database: Database,
  { person, actor, project: { organizationId, projectId } }: InProject,
  wanted: WantedToken,
): Promise<{ token: string } | { problems: SettingsProblem[] }> {
  const token = writePersonalToken(randomBytes(TOKEN_BYTES));
  const problems = await transact(database, async (tx) => {
    const memberships = await store.lockMembershipsIn(tx, person.userId, { organizationId, projectId });
    const own = highest(memberships.map(({ role }) => role));
    const membership = memberships.find(({ role }) => role === own);
    if (own === null || !membership) throw new Refused("A token is for members of the project.");
    const found = tokenProblems(wanted, own);
    if (found.length > 0) return found;
    if ((await store.countTokensInForce(tx, projectId, person.userId)) >= MOST_IN_FORCE) {
      throw new Refused(`There are ${MOST_IN_FORCE} tokens in force already. Revoke those that nothing uses.`);
    }
    const { role, environment, days } = wanted;
    const kept = { name: wanted.name.trim(), hint: tokenHint(token), role, environment };
    const expiresAt = await store.insertToken(tx, { ...kept, membershipId: membership.id, projectId, hash: hashOf(token), days });
    await insertAuditEntries(tx, [
      { ...entryOf(projectId, actor, kept.name), action: "create", difference: madeOf({ ...kept, expiresAt: formatInstant(expiresAt) }) },
    ]);
    return [];
  });
  return problems.length > 0 ? { problems } : { token };
}

/** A new token of whoever has that address, made by whoever operates the service; the token. Throws Refused. */
export async function createTokenFor(
  database: Database,
  project: InProject["project"],
  email: string,
  wanted: WantedToken,
): Promise<string> {
  const user = await selectUserByEmail(database.sql, plainEmail(email));
  if (user === null) throw new Refused(`There is no user ${plainEmail(email)}.`);
  const created = await createToken(database, { person: { userId: user.id }, actor: COMMAND_LINE, project }, wanted);
  if ("problems" in created) throw new Refused(...created.problems.map(({ message }) => message));
  return created.token;
}

/** Those who see and revoke the tokens of others. */
const seesAll = (role: Role): boolean => isAtLeast(role, "Admin");

export type ListedToken = store.TokenRow & { isYours: boolean };

const MOST_LISTED = 500;

/** A person's own tokens in a project, the newest first, ended ones too; everybody's for Admins and Owners. */
export async function listTokens(
  { sql }: Database,
  { person, project, role }: Pick<InProject, "person" | "project"> & { role: Role },
): Promise<ListedToken[]> {
  const rows = await store.selectTokens(sql, project.projectId, seesAll(role) ? null : person.userId, MOST_LISTED);
  return rows.map((row) => ({ ...row, isYours: row.makerId === person.userId }));
}

/** Every token of a project, for whoever operates the service. */
export const listAllTokens = ({ sql }: Database, projectId: string): Promise<store.TokenRow[]> =>
  store.selectTokens(sql, projectId, null, MOST_LISTED);

/**
 * Revokes a token, from the next call on: a person their own, Admins and Owners any of the project. Throws Refused where there is none
 * of this id in force that is theirs to revoke.
 */
export function revokeToken(
  database: Database,
  { person, actor, project, role }: InProject & { role: Role },
  id: string,
): Promise<{ name: string }> {
  return revoke(database, { actor, projectId: project.projectId }, id, seesAll(role) ? null : person.userId);
}

/** The same for whoever operates the service. Throws Refused. */
export const revokeAnyToken = (database: Database, where: Pick<AuditEntry, "actor" | "projectId">, id: string): Promise<{ name: string }> =>
  revoke(database, where, id, null);

async function revoke(
  database: Database,
  { actor, projectId }: Pick<AuditEntry, "actor" | "projectId">,
  id: string,
  makerId: string | null,
): Promise<{ name: string }> {
  return transact(database, async (tx) => {
    const token = await store.revokeTokenRow(tx, projectId, id, makerId);
    if (token === null) throw new Refused("There is no such token in force; it may have been revoked already.");
    const difference = [{ type: "REMOVE", path: ["token"], oldValue: token.hint }];
    await insertAuditEntries(tx, [{ ...entryOf(projectId, actor, token.name), action: "revoke", difference }]);
    return token;
  });
}

const entryOf = (projectId: string, actor: AuditEntry["actor"], name: string) => ({
  projectId,
  environmentId: null,
  actor,
  subjectKind: "token",
  subjectKey: name,
});

const madeOf = ({
  hint,
  role,
  environment,
  expiresAt,
}: {
  hint: string;
  role: Role;
  environment: EnvironmentKind | null;
  expiresAt: string;
}) =>
  Object.entries({ token: hint, role, environment, expiresAt }).flatMap(([field, value]) =>
    value === null ? [] : [{ type: "CREATE", path: [field], value }],
  );
