import { type Database, transact } from "#db/client.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { type Actor, COMMAND_LINE, lowerInLive, type Role, type RoleWithLive, SERVICE } from "../../model/kernel/environment.ts";
import { ensureOrganization, listProjects } from "../projects/projects.ts";
import { emailProblem, plainEmail } from "../../model/identity/mails.ts";
import { hashed, newPassword } from "./hash-password.ts";
import { created, recordAboutMember } from "./member-changes.ts";
import { deleteInvitationFor } from "./store/invitations.ts";
import { hasUsers, insertUser, selectProviders, selectUser, selectUserByEmail } from "./store/users.ts";
import { lockOrganization, upsertMembership } from "./store/memberships.ts";
import { type DeviceRow, selectDevices, selectFactor, selectIsRequired } from "./store/second-factors.ts";
import { selectSessions, type SessionRow } from "./store/sessions.ts";

/** Creates a person with a role in a project, or else in the organization; returns the generated password. Throws OperatorError. */
export async function createUser(
  database: Database,
  person: { email: string; role: Role; liveRole?: Role | null; projectSlug?: string },
): Promise<SignIn> {
  const signIn = { email: plainEmail(person.email), password: newPassword() };
  const problems = [emailProblem(signIn.email)].filter((problem) => problem !== null);
  const { role, liveRole = null } = person;
  if (liveRole !== null && !lowerInLive(role).includes(liveRole))
    problems.push(`In Live a role can only be lower than ${role}, and an Owner's is the same.`);
  const project = person.projectSlug === undefined ? null : (await listProjects(database)).find(({ slug }) => slug === person.projectSlug);
  if (project === undefined) problems.push(`There is no project "${person.projectSlug}".`);
  if (problems.length > 0) throw new OperatorError(...problems);
  const scope = project ? { organizationId: project.organizationId, projectId: project.id } : null;
  if (!(await insertPerson(database, signIn, { role, liveRole }, scope, COMMAND_LINE)))
    throw new OperatorError(`There is already a user ${signIn.email}.`);
  return signIn;
}

/** Creates the installation's first owner unless there is a user already; returns their credentials. Throws OperatorError. */
export async function ensureFirstOwner(database: Database, owner: { email: string; password?: string }): Promise<SignIn | null> {
  if (await hasUsers(database.sql)) return null;
  const signIn = { email: plainEmail(owner.email), password: owner.password ?? newPassword() };
  const problem = emailProblem(signIn.email);
  if (problem !== null) throw new OperatorError(problem);
  return (await insertPerson(database, signIn, { role: "Owner", liveRole: null }, null, SERVICE)) ? signIn : null;
}

/** The credentials of a new person; the password is shown once. */
export interface SignIn {
  email: string;
  password: string;
}

/** Creates a person with their first role. False when the address is taken. Their invitation of the same scope becomes void. */
async function insertPerson(
  database: Database,
  { email, password }: SignIn,
  roles: RoleWithLive,
  scope: { organizationId: string; projectId: string } | null,
  actor: Actor,
): Promise<boolean> {
  const passwordHash = await hashed(password);
  const organizationId = scope?.organizationId ?? (await ensureOrganization(database.sql)).id;
  const projectId = scope?.projectId ?? null;
  return transact(database, async (tx) => {
    await lockOrganization(tx, organizationId);
    const userId = await insertUser(tx, email, passwordHash);
    if (userId === null) return false;
    await upsertMembership(tx, { userId, organizationId, projectId, ...roles });
    await deleteInvitationFor(tx, organizationId, projectId, email);
    await recordAboutMember(tx, { organizationId, projectId }, { actor, action: "create", subjectKey: email, difference: created(roles) });
    return true;
  });
}

/** The person with that address. Throws OperatorError if unknown. */
export async function findUser({ sql }: Database, email: string): Promise<{ id: string; email: string }> {
  const user = await selectUserByEmail(sql, plainEmail(email));
  if (user === null) throw new OperatorError(`There is no user ${plainEmail(email)}.`);
  return user;
}

/** A person's own account. */
interface Account {
  email: string;
  hasPassword: boolean;
  /** Providers that they have signed in with. */
  providers: string[];
  sessions: (SessionRow & { isCurrent: boolean })[];
  /** Null without a second factor. */
  secondFactor: { since: number; recoveryCodes: number } | null;
  /** Whether an organization requires one. */
  isFactorRequired: boolean;
  /** The browsers that need no code. */
  devices: DeviceRow[];
}

export async function readAccount({ sql }: Database, person: { userId: string; sessionId: string }): Promise<Account> {
  const { userId } = person;
  const [user, providers, open, factor, isFactorRequired, devices] = await Promise.all([
    selectUser(sql, userId),
    selectProviders(sql, userId),
    selectSessions(sql, userId),
    selectFactor(sql, userId),
    selectIsRequired(sql, userId),
    selectDevices(sql, userId),
  ]);
  return {
    email: user?.email ?? "",
    hasPassword: user?.passwordHash != null,
    providers,
    sessions: open.map((session) => ({ ...session, isCurrent: session.id === person.sessionId })),
    secondFactor: factor?.confirmedAt == null ? null : { since: factor.confirmedAt, recoveryCodes: factor.recoveryCodes },
    isFactorRequired,
    devices,
  };
}
