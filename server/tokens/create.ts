import { randomBytes } from "node:crypto";
import { type Database, transact } from "../../db/client.ts";
import { recordChange } from "../audit-log/record.ts";
import { findUser } from "../identity/find-user.ts";
import type { InProject } from "../kernel/in-project.ts";
import type { FieldProblem } from "../kernel/problem.ts";
import { OperatorError } from "../kernel/operator-error.ts";
import { COMMAND_LINE, highest } from "../kernel/roles.ts";
import { formatInstant } from "../kernel/time.ts";
import { tokenDifference, tokenEntry } from "./audit-entry.ts";
import * as store from "./store.ts";
import { hashOfToken, TOKEN_BYTES, tokenHint, tokenProblems, type TokenRequest, type WantedToken, writePersonalToken } from "./token.ts";

/** More are nobody's need; what makes tokens by mistake in a loop stops here. */
const MOST_IN_FORCE = 100;

/**
 * Creates a token of a person, in one project. It is shown only once: only its hash is kept. Problems are returned by field. Throws
 * OperatorError where the person has no role in the project.
 */
export async function createToken(
  database: Database,
  where: InProject,
  wanted: WantedToken,
): Promise<{ token: string } | { problems: FieldProblem[] }> {
  const token = writePersonalToken(randomBytes(TOKEN_BYTES));
  const problems = await keepToken(database, where, wanted, { hash: hashOfToken(token), hint: tokenHint(token) });
  return problems.length > 0 ? { problems } : { token };
}

/**
 * Has the token count that a program made itself: from now on it is a token of this person. Problems are returned by field. Throws
 * OperatorError as `createToken` does, and where the token was approved before.
 */
export const createRequestedToken = (
  database: Database,
  where: InProject,
  wanted: WantedToken,
  request: TokenRequest,
): Promise<FieldProblem[]> => keepToken(database, where, wanted, request);

function keepToken(
  database: Database,
  { person, actor, project: { organizationId, projectId } }: InProject,
  wanted: WantedToken,
  { hash, hint }: TokenRequest,
): Promise<FieldProblem[]> {
  return transact(database, async (tx) => {
    const memberships = await store.lockMembershipsIn(tx, person.userId, { organizationId, projectId });
    const own = highest(memberships.map(({ role }) => role));
    const membership = memberships.find(({ role }) => role === own);
    if (own === null || !membership) throw new OperatorError("A token is for members of the project.");
    const found = tokenProblems(wanted, own);
    if (found.length > 0) return found;
    if ((await store.countTokensInForce(tx, projectId, person.userId)) >= MOST_IN_FORCE) {
      throw new OperatorError(`There are ${MOST_IN_FORCE} tokens in force already. Revoke those that nothing uses.`);
    }
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

/** Creates a token of the person with that address, on the command line; returns it. Throws OperatorError. */
export async function createTokenFor(
  database: Database,
  project: InProject["project"],
  email: string,
  wanted: WantedToken,
): Promise<string> {
  const user = await findUser(database, email);
  const created = await createToken(database, { person: { userId: user.id }, actor: COMMAND_LINE, project }, wanted);
  if ("problems" in created) throw new OperatorError(...created.problems.map(({ message }) => message));
  return created.token;
}
