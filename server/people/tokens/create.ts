import { randomBytes } from "node:crypto";
import { type Database, transact } from "#db/client.ts";
import { recordChange } from "../audit-log/record.ts";
import { findUser } from "../identity/find-user.ts";
import type { InProject } from "../../model/kernel/in-project.ts";
import type { FieldProblem } from "../../model/kernel/problem.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { COMMAND_LINE, highest } from "../../model/kernel/roles.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { tokenDifference, tokenEntry } from "../../model/tokens/audit-entry.ts";
import * as store from "./store.ts";
import {
  hashOfToken,
  MAX_IN_FORCE,
  MAX_IN_FORCE_IN_PROJECT,
  MAX_MADE_A_DAY,
  TOKEN_BYTES,
  tokenHint,
  tokenProblems,
  type TokenRequest,
  type WantedToken,
  writePersonalToken,
} from "../../model/tokens/token.ts";

type InProjectByMaker = InProject & { person: store.Maker };

/**
 * Creates a personal token for one project. It is shown once, since only its hash is stored. Problems are returned by field. Throws
 * OperatorError if the person has no role in the project.
 */
export async function createToken(
  database: Database,
  where: InProjectByMaker,
  wanted: WantedToken,
): Promise<{ token: string } | { problems: FieldProblem[] }> {
  const token = writePersonalToken(randomBytes(TOKEN_BYTES));
  const problems = await keepToken(database, where, wanted, { hash: hashOfToken(token), hint: tokenHint(token) });
  return problems.length > 0 ? { problems } : { token };
}

/**
 * Approves a token that a program generated itself, as a token of this person. Problems are returned by field. Throws OperatorError as
 * `createToken` does, and if the token was already approved.
 */
export const createRequestedToken = (
  database: Database,
  where: InProjectByMaker,
  wanted: WantedToken,
  request: TokenRequest,
): Promise<FieldProblem[]> => keepToken(database, where, wanted, request);

function keepToken(
  database: Database,
  { person, actor, project: { organizationId, projectId } }: InProjectByMaker,
  wanted: WantedToken,
  { hash, hint }: TokenRequest,
): Promise<FieldProblem[]> {
  return transact(database, async (tx) => {
    if (!(await store.lockMaker(tx, projectId, person))) throw new OperatorError("Your session has ended. Sign in to make a token.");
    const memberships = await store.lockMembershipsIn(tx, person.userId, { organizationId, projectId });
    const own = highest(memberships.map(({ role }) => role));
    const membership = memberships.find(({ role }) => role === own);
    if (own === null || !membership) throw new OperatorError("A token is for members of the project.");
    const found = tokenProblems(wanted, own);
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
