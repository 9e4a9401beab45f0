import { createRouterClient, type RouterClient } from "@orpc/server";
import { randomBytes } from "node:crypto";
import type { Database } from "../../../db/client.ts";
import type { Role } from "../../model/kernel/environment.ts";
import { testCipher } from "../../delivery/testing.ts";
import { dashboardRouter } from "../rpc/router.ts";

/**
 * The dashboard's procedures, called as a new user with that role; for tests. The user's password is not a real hash, as hashing takes
 * time. Verbs' refusals are thrown unchanged.
 */
export async function signedIn(
  { sql, ...database }: Database,
  projectSlug: string,
  role: Role,
): Promise<{ email: string; rpc: RouterClient<typeof dashboardRouter> }> {
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  const [session] = await sql<{ id: string }[]>`
    with person as (insert into users (email, password_hash) values (${email}, 'none') returning id),
    member as (
      insert into memberships (user_id, organization_id, project_id, role)
      select person.id, p.organization_id, p.id, ${role} from person, projects p where p.slug = ${projectSlug}
    )
    insert into sessions (user_id, expires_at) select id, now() + interval '1 hour' from person returning id`;
  const context = {
    database: { sql, ...database },
    sessionId: session!.id,
    baseUrl: "http://localhost",
    allowPrivateAddresses: true,
    cipher: testCipher,
  };
  return { email, rpc: createRouterClient(dashboardRouter, { context: { ...context, wake: () => {} } }) };
}
