import { createRouterClient } from "@orpc/server";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { testDatabase, testProject } from "../../db/testing.ts";
import { importDefinitions } from "../definitions/service.ts";
import { isAtLeast, type Role, ROLES } from "../kernel/roles.ts";
import { purchase } from "../marketplace/service.ts";
import { savePlayer } from "../players/service.ts";
import { invite } from "../projects/service/members.ts";
import { createEndpoint } from "../webhooks/service.ts";
import type { DashboardMeta } from "./contract.dashboard.ts";
import { dashboardRouter } from "./dashboard-router.ts";

/**
 * Every procedure of the dashboard, called by everybody: the list comes from the router, so that a new procedure is held to this
 * by itself.
 */
const database = await testDatabase();
const { sql } = database;

interface Listed {
  path: string;
  meta: DashboardMeta;
  input: z.ZodType | undefined;
}

function list(router: object, path: string[] = []): Listed[] {
  return Object.entries(router).flatMap(([name, value]: [string, any]): Listed[] => {
    const procedure = value["~orpc"];
    const at = [...path, name];
    return procedure ? [{ path: at.join("."), meta: procedure.meta, input: procedure.inputSchema }] : list(value, at);
  });
}

const PROCEDURES = list(dashboardRouter);
const OF_PROJECTS = PROCEDURES.filter(({ meta }) => meta.scope !== "person");

const context = (sessionId: string | null) => ({
  database,
  sessionId,
  baseUrl: "https://points.test",
  allowPrivateAddresses: false,
  wake: () => {},
});

/** What a call comes to: its code and words when it is refused, its answer otherwise. */
async function call(path: string, sessionId: string | null, input: unknown): Promise<{ code: string; message: string; answer?: unknown }> {
  const client: any = createRouterClient(dashboardRouter, { context: context(sessionId) });
  try {
    const procedure = path.split(".").reduce((at, name) => at[name], client);
    return { code: "OK", message: "", answer: await procedure(input) };
  } catch (error) {
    const { code, name, message } = error as { code?: string; name: string; message: string };
    return { code: code ?? name, message };
  }
}

let signedUp = 0;

async function signIn(place: { organizationId: string; projectId: string }, role: Role, isOfProject = false): Promise<string> {
  const [user] = await sql<{ id: string }[]>`
    insert into users (email, password_hash) values (${`person-${++signedUp}@example.com`}, 'none') returning id`;
  await sql`
    insert into memberships (user_id, organization_id, project_id, role)
    values (${user!.id}, ${place.organizationId}, ${isOfProject ? place.projectId : null}, ${role})`;
  return openSession(user!.id, "1 hour");
}

async function openSession(userId: string, lasts: string): Promise<string> {
  const [session] = await sql<{ id: string }[]>`
    insert into sessions (user_id, expires_at) values (${userId}, now() + ${lasts}::interval) returning id`;
  return session!.id;
}

test("the router is found whole, and every procedure says whom it is for", () => {
  expect(PROCEDURES.length).toBeGreaterThan(20);
  for (const { path, meta, input } of PROCEDURES) {
    expect(["person", "project", "environment"], path).toContain(meta?.scope);
    if (meta.scope === "person") continue;
    expect(ROLES, path).toContain(meta.role);
    const shape = input ? JSON.stringify(z.toJSONSchema(input, { io: "input", unrepresentable: "any" })) : "";
    for (const field of meta.scope === "environment" ? ["project", "environment"] : ["project"])
      expect(shape, path).toContain(`"${field}"`);
  }
});

describe.each(PROCEDURES.map((procedure) => [procedure.path, procedure] as const))("%s", (path, { meta }) => {
  test("is for nobody who is not signed in, or whose session is over", async () => {
    const { sandbox, slug } = await testProject(database);
    const owner = await signIn(sandbox, "Owner");
    await sql`update sessions set expires_at = now() - interval '1 second' where id = ${owner}`;
    const input = { project: slug, environment: "sandbox" };
    for (const sessionId of [null, owner, "", "00000000-0000-0000-0000-000000000000", "' or true --"])
      expect((await call(path, sessionId, input)).code, String(sessionId)).toBe("UNAUTHORIZED");
  });

  test.skipIf(meta.scope === "person")("is for its role and those above it, in its project alone", async () => {
    const [own, others] = [await testProject(database), await testProject(database)];
    const input = { project: own.slug, environment: "sandbox" };
    const stranger = await signIn(others.sandbox, "Owner");
    const neighbour = await signIn({ ...own.sandbox, projectId: (await neighbourOf(own.slug)).projectId }, "Owner", true);
    for (const sessionId of [stranger, neighbour]) {
      expect((await call(path, sessionId, input)).code).toBe("NOT_FOUND");
      expect((await call(path, sessionId, { ...input, project: "no-such-project" })).code).toBe("NOT_FOUND");
    }
    for (const role of ROLES.toReversed()) {
      for (const isOfProject of [true, false]) {
        const { code, message } = await call(path, await signIn(own.sandbox, role, isOfProject), input);
        const isAllowed = meta.scope === "person" || isAtLeast(role, meta.role);
        // Whoever is let in is told what is missing, or is answered; the message is the guard's own.
        if (isAllowed) expect(`${code} ${message}`, role).not.toMatch(/^UNAUTHORIZED|^FORBIDDEN|no such project among yours/);
        else expect(code, role).toBe("FORBIDDEN");
      }
    }
  });

  test.skipIf(meta.scope === "person")("is there no more once its project is archived", async () => {
    const { sandbox, slug } = await testProject(database);
    const owner = await signIn(sandbox, "Owner");
    await sql`update projects set archived_at = now() where id = ${sandbox.projectId}`;
    expect((await call(path, owner, { project: slug, environment: "sandbox" })).code).toBe("NOT_FOUND");
  });
});

/** Another project of the same organization. */
async function neighbourOf(slug: string): Promise<{ projectId: string }> {
  const [row] = await sql<{ id: string }[]>`
    insert into projects (organization_id, slug, name, default_language, time_zone)
    select organization_id, slug || '-next', 'Next', 'en', 'UTC' from projects where slug = ${slug} returning id`;
  return { projectId: row!.id };
}

describe("with whole inputs", () => {
  const MARK = "zzz-mark";
  let own: Awaited<ReturnType<typeof furnished>>;
  let others: Awaited<ReturnType<typeof furnished>>;

  beforeAll(async () => {
    own = await furnished("own");
    others = await furnished(MARK);
  });

  /** A project with something of every kind that has an id. */
  async function furnished(mark: string) {
    const project = await testProject(database, { name: mark });
    const { sandbox, slug } = project;
    const owner = await signIn(sandbox, "Owner");
    const [{ userId }] = (await sql`select user_id as "userId" from sessions where id = ${owner}`) as unknown as [{ userId: string }];
    await signIn(sandbox, "Editor", true);
    await sql`update users set email = ${mark} || email where id in (select user_id from memberships where organization_id = ${sandbox.organizationId})`;
    const actor = { userId, name: `${mark} owner` };
    await invite(
      database,
      { person: { userId }, actor, project: sandbox },
      { email: `${mark}@example.com`, role: "Viewer", scope: "project" },
    );
    await createEndpoint(
      database,
      sandbox,
      { url: `https://${mark}.example.com/`, events: ["mission.completed"] },
      { allowPrivateAddresses: true },
    );
    await sql`update api_keys set name = ${mark} where environment_id in (${sandbox.id}, ${project.live.id})`;
    const events = [{ key: "order_placed", name: mark }];
    const catalogItems = [{ key: "coffee", name: mark, valueType: "Number" }];
    const marketplaceItems = [{ key: "voucher", name: mark, priceInPoints: 0, contents: [{ catalogItem: "coffee", value: 1 }] }];
    expect(await importDefinitions(database, sandbox, { version: 1, events, catalogItems, marketplaceItems })).not.toHaveProperty(
      "problems",
    );
    await savePlayer(database, sandbox, Date.now(), `${mark} player`, {});
    await purchase(database, sandbox, Date.now(), { externalId: `${mark} player`, listingKey: "voucher", idempotencyKey: null });
    return { ...project, slug, owner, userId };
  }

  /** Everything that belongs to an organization, as one hash: what somebody changed there shows in it. */
  async function fingerprint({
    sandbox,
    live,
  }: {
    sandbox: { organizationId: string; id: number; projectId: string };
    live: { id: number };
  }) {
    const columns = await sql<{ table: string; column: string }[]>`
      select c.table_name as table, c.column_name as column from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where t.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name in ('organization_id', 'project_id', 'environment_id')
        or c.table_schema = 'public' and (c.table_name, c.column_name) in (('projects', 'id'), ('organizations', 'id'))`;
    const rows = columns.map(({ table, column }) => {
      const values = column === "environment_id" ? `${sandbox.id}, ${live.id}` : `'${sandbox.organizationId}', '${sandbox.projectId}'`;
      return `select '${table}' || t::text as row from "${table}" t where "${column}"::text in (${column === "environment_id" ? values.replace(/\d+/g, "'$&'") : values})`;
    });
    const [hash] = await sql.unsafe<{ hash: string }[]>(
      `select md5(string_agg(row, ' ' order by row)) as hash from (${rows.join(" union ")}) all_rows`,
    );
    return hash!.hash;
  }

  /** Every id that stands in a project's tables. */
  async function idsOf({ sandbox, userId }: { sandbox: { organizationId: string; id: number; projectId: string }; userId: string }) {
    const rows = await sql<{ id: string }[]>`
      select id::text from memberships where organization_id = ${sandbox.organizationId}
      union all select id::text from invitations where organization_id = ${sandbox.organizationId}
      union all select id::text from api_keys where environment_id = ${sandbox.id}
      union all select id::text from webhook_endpoints where environment_id = ${sandbox.id}
      union all select id::text from marketplace_purchases where environment_id = ${sandbox.id}
      union all select id::text from sessions where user_id = ${userId}`;
    return rows.map(({ id }) => id);
  }

  /** An input of that shape: ids are the one given, everything else is whatever fits. */
  function sample(schema: z.ZodType | undefined, id: string, where: { slug: string }): unknown {
    if (!schema) return undefined;
    const json: any = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    const make = (node: any, name: string): unknown => {
      if (node.const !== undefined) return node.const;
      if (node.enum) return node.enum[0];
      if (node.anyOf ?? node.oneOf) return make((node.anyOf ?? node.oneOf)[0], name);
      switch (Array.isArray(node.type) ? node.type[0] : node.type) {
        case "object":
          return Object.fromEntries((node.required ?? []).map((key: string) => [key, make(node.properties?.[key] ?? {}, key)]));
        case "array":
          return /ids?$/i.test(name) ? [id] : [];
        case "boolean":
          return false;
        case "integer":
        case "number":
          return Math.max(node.minimum ?? 1, 1);
        case "string":
          if (name === "project") return where.slug;
          return node.format === "uuid" || /id$/i.test(name) ? id : name === "key" ? "order_placed" : name;
        default:
          return null;
      }
    };
    return make(json, "");
  }

  test("no procedure reaches what belongs to another project, by whatever id", { timeout: 120_000 }, async () => {
    const before = await fingerprint(others);
    const ids = await idsOf(others);
    for (const { path, input } of PROCEDURES) {
      // Archiving and such would take one's own project away for the calls that follow.
      const { slug, sandbox } = path === "projects.archive" ? await testProject(database) : own;
      const owner = path === "projects.archive" ? await signIn(sandbox, "Owner") : own.owner;
      const usesIds = JSON.stringify(sample(input, ids[0]!, { slug }) ?? null).includes(ids[0]!);
      for (const id of usesIds ? ids : [ids[0]!]) {
        const { code, message, answer } = await call(path, owner, sample(input, id, { slug }));
        expect(`${message} ${JSON.stringify(answer ?? null)}`, `${path} ${code}`).not.toContain(MARK);
      }
      expect(await fingerprint(others), path).toBe(before);
    }
  });

  test("a Viewer changes nothing and sees no secret, whatever they call", { timeout: 120_000 }, async () => {
    const viewer = await signIn(own.sandbox, "Viewer");
    const before = await fingerprint(own);
    for (const { path, input } of OF_PROJECTS) {
      // Everybody may go.
      if (path === "members.leave") continue;
      for (const id of await idsOf(own)) {
        const { answer } = await call(path, viewer, sample(input, id, own));
        expect(JSON.stringify(answer ?? null), path).not.toMatch(/whsec_|svc_(sbox|live)_[0-9a-f]{8}/);
      }
      expect(await fingerprint(own), path).toBe(before);
    }
  });
});
