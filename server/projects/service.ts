import { type Database, type Sql, transact, type Transaction } from "../../db/client.ts";
import type { Environment, EnvironmentKind } from "../kernel/environment.ts";
import { type Problem, problem } from "../kernel/problem.ts";
import { Refused } from "../kernel/refused.ts";
import { type Actor, COMMAND_LINE, highest, type Role } from "../kernel/roles.ts";
import { bearerKey, hashOf } from "./keys.ts";
import { emailProblem, plainEmail } from "./emails.ts";
import { hashed, newPassword } from "./service/hashing.ts";
import { voidLinks } from "./service/open-links.ts";
import { canonicalLanguage, projectProblems, type ProjectSettings } from "./settings.ts";
import * as store from "./store.ts";
import * as people from "./store/people.ts";
import { touchSession } from "./store/sessions.ts";

export type { ProjectRow } from "./store.ts";
export type { ProjectSettings } from "./settings.ts";
export { renewPassword } from "./service/account.ts";
export { createApiKey, revokeApiKey } from "./service/keys.ts";

const FIRST_ORGANIZATION = "main";

/** The project of the first start; where nobody names a project, it gives way to any other. */
export const DEMO_SLUG = "demo";

/** Who is asking: the environment of the key, and the present on its clock. */
export interface Caller {
  environment: Environment;
  /** Epoch milliseconds on the environment's clock. */
  now: number;
}

/** The hash of an Authorization header's API key. Problem auth.api_key_invalid: there is none that could be one. */
export function keyHash(authorization: string | undefined): Buffer {
  const key = bearerKey(authorization);
  if (key === null) throw invalidKey(authorization === undefined ? "The Authorization header is missing." : "The API key is malformed.");
  return hashOf(key);
}

/**
 * Finds the environment of a request by the hash of its key (api.md 5): asked of the database each time, so that a revocation, a
 * changed definition and a moved clock hold from the next request on. Problem auth.api_key_invalid.
 */
export async function authenticate(sql: Sql, hash: Buffer): Promise<Caller & { isArchived: boolean }> {
  const row = await store.selectKey(sql, hash);
  if (row === null) throw invalidKey("The API key is unknown or revoked.");
  // A note for people; the request neither waits for it nor fails with it.
  if (row.isUseDue && !row.isArchived) store.touchKey(sql, row.keyId).catch(() => {});
  const { keyId: _, isArchived, isUseDue: __, realNow, ...environment } = row;
  return { environment, now: realNow + environment.clockOffsetMs, isArchived };
}

const invalidKey = (message: string): Problem => problem("auth.api_key_invalid", `${message} Send "Authorization: Bearer <API key>".`);

/** As it is in the database now; null without one. Under the ground lock nothing of it changes. */
export const loadEnvironment = (sql: Sql, environmentId: number): Promise<Environment | null> =>
  store.selectEnvironment(sql, environmentId);

/** An environment by its project's slug, archived or not. Throws Refused. */
export async function findEnvironment({ orm }: Database, projectSlug: string, kind: EnvironmentKind): Promise<Environment> {
  const environments = await store.selectEnvironmentsOf(orm, projectSlug);
  const found = environments.find((environment) => environment.kind === kind);
  if (!found) throw new Refused(`There is no project "${projectSlug}".`);
  return found;
}

/** The present on an environment's clock, epoch milliseconds. */
export const environmentNow = async (sql: Sql, environment: Environment): Promise<number> =>
  (await store.selectNow(sql)) + environment.clockOffsetMs;

/** Every project, archived ones too, in order of creation. */
export const listProjects = ({ orm }: Database): Promise<store.ProjectRow[]> => store.selectProjects(orm);

/**
 * Creates a project with its Sandbox and Live, in the organization of that slug (made if new) or the first one. Its Sandbox
 * clock begins so many milliseconds behind real time as `sandboxBehindMs` says. Logged where somebody did it. Throws Refused.
 */
export async function createProject(
  { orm }: Database,
  settings: ProjectSettings,
  organization?: string,
  sandboxBehindMs = 0,
  actor?: Actor,
): Promise<{ id: string; sandbox: Environment; live: Environment }> {
  const problems = projectProblems(settings, organization);
  if (problems.length > 0) throw new Refused(...problems);
  const defaultLanguage = canonicalLanguage(settings.defaultLanguage) ?? settings.defaultLanguage;
  return orm.transaction(async (tx) => {
    const { id: organizationId } = await ensureOrganization(tx, organization);
    const id = await store.insertProject(
      tx,
      organizationId,
      { ...settings, name: settings.name.trim(), defaultLanguage },
      -sandboxBehindMs,
    );
    if (id === null) throw new Refused(`There is already a project "${settings.slug}"; choose another slug.`);
    if (actor) await store.insertAuditEntry(tx, { ...aboutProject(id, settings.slug, actor), action: "create" });
    const [sandbox, live] = await store.selectEnvironmentsOf(tx, settings.slug);
    return { id, sandbox: sandbox!, live: live! };
  });
}

type Queries = Parameters<typeof store.selectOrganization>[0];

async function ensureOrganization(orm: Queries, slug?: string): Promise<{ id: string }> {
  const found = await store.selectOrganization(orm, slug);
  if (found) return found;
  await store.insertOrganization(orm, slug ?? FIRST_ORGANIZATION);
  const created = await store.selectOrganization(orm, slug);
  if (!created) throw new Error("The organization was removed while it was created.");
  return created;
}

const aboutProject = (projectId: string, slug: string, actor: Actor) => ({
  projectId,
  environmentId: null,
  actor,
  subjectKind: "project",
  subjectKey: slug,
  difference: null,
});

/** From now on the project's keys answer 404 project_environment.not_found. Throws Refused. */
export async function archiveProject({ sql }: Database, slug: string, actor = COMMAND_LINE): Promise<void> {
  await sql.begin(async (tx) => {
    const id = await store.setArchived(tx, slug);
    if (id === null) throw new Refused(`There is no project "${slug}".`);
    await store.insertAuditEntries(tx, [{ ...aboutProject(id, slug, actor), action: "archive" }]);
  });
}

export interface SignIn {
  email: string;
  password: string;
}

/** Creates a person with a role in one project, or in the whole organization without one; answers the generated password. Throws Refused. */
export async function createUser(database: Database, person: { email: string; role: Role; projectSlug?: string }): Promise<SignIn> {
  const signIn = { email: plainEmail(person.email), password: newPassword() };
  const problems = [emailProblem(signIn.email)].filter((problem) => problem !== null);
  const project = person.projectSlug === undefined ? null : (await listProjects(database)).find(({ slug }) => slug === person.projectSlug);
  if (project === undefined) problems.push(`There is no project "${person.projectSlug}".`);
  if (problems.length > 0) throw new Refused(...problems);
  const scope = project ? { organizationId: project.organizationId, projectId: project.id } : null;
  if (!(await insertPerson(database, signIn, person.role, scope))) throw new Refused(`There is already a user ${signIn.email}.`);
  return signIn;
}

/** Creates the installation's first owner unless there is a user already; answers the sign-in of who was created. Throws Refused. */
export async function ensureFirstOwner(database: Database, owner: { email: string; password?: string }): Promise<SignIn | null> {
  if (await store.hasUsers(database.orm)) return null;
  const signIn = { email: plainEmail(owner.email), password: owner.password ?? newPassword() };
  const problem = emailProblem(signIn.email);
  if (problem !== null) throw new Refused(problem);
  return (await insertPerson(database, signIn, "Owner", null)) ? signIn : null;
}

/** False when somebody has that address already. What they were invited to in that organization is void then. */
async function insertPerson(
  database: Database,
  { email, password }: SignIn,
  role: Role,
  scope: { organizationId: string; projectId: string } | null,
): Promise<boolean> {
  const passwordHash = await hashed(password);
  const organizationId = scope?.organizationId ?? (await ensureOrganization(database.orm)).id;
  return transact(database, async (tx) => {
    await people.lockOrganization(tx, organizationId);
    const userId = await people.insertUser(tx, email, passwordHash);
    if (userId === null) return false;
    await people.upsertMembership(tx, { userId, organizationId, projectId: scope?.projectId ?? null, role });
    await voidLinks(tx, organizationId, { userId, email });
    return true;
  });
}

/** Makes every process compile the environment's definitions anew; call it in the transaction that changes them. The new version. */
export const bumpDefinitionsVersion = (tx: Transaction, environmentId: number): Promise<number> =>
  store.raiseDefinitionsVersion(tx, environmentId);

/** Makes every process forget what it knows of the environment's players; call it in the transaction that deletes them. Throws Refused for Live. */
export async function countReset(tx: Transaction, environmentId: number): Promise<void> {
  if (!(await store.raiseResets(tx, environmentId))) throw new Refused("Only a Sandbox can be reset; what is in Live stays.");
}

/** Moves a Sandbox clock forward (decisions.md 9); call it with the ground held alone. Throws Refused for Live, and for a step back. */
export async function advanceClock(tx: Transaction, environmentId: number, toOffsetMs: number): Promise<void> {
  if (!(await store.setClockOffset(tx, environmentId, toOffsetMs))) {
    throw new Refused("Only a Sandbox clock can be moved, and only forward.");
  }
}

/** Who is signed in. */
export interface Person {
  sessionId: string;
  userId: string;
  email: string;
}

/** Who holds that session: asked of the database each time, so that an end holds from the next request on. Null where it has ended. */
export async function findPerson({ sql }: Database, sessionId: string): Promise<Person | null> {
  const row = UUID.test(sessionId) ? await store.selectPerson(sql, sessionId) : null;
  if (row === null) return null;
  const { isUseDue, ...person } = row;
  // A note for people; the request neither waits for it nor fails with it.
  if (isUseDue) touchSession(sql, sessionId).catch(() => {});
  return person;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a person may do in a project, and the environment they look at. */
export interface Access extends Caller {
  role: Role;
  projectName: string;
}

/** A person's access to an environment of a project that is not archived; null for a stranger, and for a project that is not there. */
export async function accessOf(
  { sql }: Database,
  person: { userId: string },
  projectSlug: string,
  kind: EnvironmentKind,
): Promise<Access | null> {
  const rows = await store.selectAccess(sql, person.userId, projectSlug, kind);
  const [first] = rows;
  const role = highest(rows.map((row) => row.role));
  if (!first || role === null) return null;
  const { environment, projectName, realNow } = first;
  return { environment, projectName, role, now: realNow + environment.clockOffsetMs };
}

/** A change for the audit log; in the transaction that makes it. */
export type AuditEntry = store.AuditEntry;
export type { Actor };

export const recordChange = (tx: Transaction, ...entries: AuditEntry[]): Promise<void> => store.insertAuditEntries(tx, entries);
