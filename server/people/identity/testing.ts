import { randomBytes } from "node:crypto";
import type { Database } from "#db/client.ts";
import { testProject } from "#db/testing.ts";
import type { InProject, Role } from "../../model/kernel/environment.ts";
import { until } from "#db/testing/work.ts";
import { acceptWithNewAccount, invite } from "./invite.ts";

export const PASSWORD = "a few words in a row";
export const BROWSER = { address: null, userAgent: "a browser" };

/** An unused address. */
export const unique = (name: string) => `${name}-${randomBytes(4).toString("hex")}@example.com`;

export interface TestPerson {
  email: string;
  userId: string;
  membershipId: string;
  sessionId: string;
  /** The person, acting in their project. */
  where: InProject;
}

/** People and organizations for tests of roles. */
export function testPeople(database: Database) {
  const { sql } = database;

  /** An organization of the test's own with a project. */
  const organization = async () => (await testProject(database)).sandbox;
  type Place = Awaited<ReturnType<typeof organization>>;

  /** A person with a role, signed in: in the whole organization, or in its project alone. */
  async function person(place: Place, role: Role, isOfProject = false): Promise<TestPerson> {
    const email = unique(role.toLowerCase());
    const [user] = await sql<{ id: string }[]>`insert into users (email) values (${email}) returning id`;
    const membershipId = await member(user!.id, place, role, isOfProject);
    const [session] = await sql<{ id: string }[]>`
      insert into sessions (user_id, expires_at) values (${user!.id}, now() + interval '1 hour') returning id`;
    const where: InProject = { person: { userId: user!.id }, actor: { userId: user!.id, name: email }, project: place };
    return { email, userId: user!.id, membershipId, sessionId: session!.id, where };
  }

  /** Adds a membership elsewhere, without the service's other effects; returns its id. */
  async function member(userId: string, place: Place, role: Role, isOfProject = false): Promise<string> {
    const [row] = await sql<{ id: string }[]>`
      insert into memberships (user_id, organization_id, project_id, role)
      values (${userId}, ${place.organizationId}, ${isOfProject ? place.projectId : null}, ${role}) returning id`;
    return row!.id;
  }

  /** The roles in an organization, by address. */
  async function roles({ organizationId }: Place): Promise<Record<string, Role>> {
    const rows = await sql<{ email: string; role: Role }[]>`
      select u.email, m.role from memberships m join users u on u.id = m.user_id where m.organization_id = ${organizationId}`;
    return Object.fromEntries(rows.map(({ email, role }) => [email, role]));
  }

  /** The audit log of a project about its members: "actor action subject". */
  async function log({ projectId }: Place): Promise<string[]> {
    const rows = await sql<{ action: string; key: string; actor: string }[]>`
      select action, subject_key as key, actor from audit_log where project_id = ${projectId} and subject_kind = 'member' order by id`;
    return rows.map(({ action, key, actor }) => `${actor} ${action} ${key}`);
  }

  /** Invites an address and returns the link's token. */
  async function invited(where: InProject, email: string, role: Role, scope: "organization" | "project" = "organization") {
    const made = await invite(database, where, { email, role, scope });
    if ("problems" in made) throw new Error(made.problems[0]!.message);
    return made.token;
  }

  /** Opens an invitation's link without an account. */
  const accept = (token: string) => acceptWithNewAccount(database, token, PASSWORD, BROWSER);

  /** Waits until this number of transactions is waiting for a lock. */
  const untilWaiting = (count: number) =>
    until(async () => {
      const [row] = await sql<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      return row!.waiting >= count;
    });

  return { organization, person, member, roles, log, invited, accept, untilWaiting };
}
