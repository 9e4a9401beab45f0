import { encode } from "next-auth/jwt";
import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { isSpread, testDatabase } from "../../db/testing.ts";
import { createApiKey } from "../people/api-keys/api-keys.ts";
import { isAtLeast, ROLES } from "../model/kernel/environment.ts";
import { TOKEN_BYTES, writePersonalToken } from "../model/tokens/token.ts";
import type { AccessLine } from "./testing/access-inputs.ts";
import { openSecrets, SECRETS } from "./testing/access-secrets.ts";
import { TABLE } from "./testing/access-table.ts";
import {
  type Caller,
  deliveryTo,
  ENDPOINT_QUERY,
  MAKERS,
  openChanges,
  openWorld,
  type Thing,
  type WorldEnvironment,
} from "./testing/access-world.ts";
import { AUTH_SECRET, testDashboard } from "./testing/dashboard.ts";
import type { DashboardMeta } from "./access.ts";
import { dashboardRouter } from "./rpc/router.ts";
import { sessionCookie } from "./session-cookie.ts";

/**
 * The access test: every role, session and token calls every procedure of the dashboard over HTTP. The procedures come from the router and
 * the expectations from a table (access-table.ts), so a procedure without a line fails. On a cluster (`npm run citus`), whose distributed
 * tables have no triggers to count changes, only one allowed caller per procedure is tested.
 */
const database = await testDatabase();
const world = await openWorld(database);
const secretsNow = await openSecrets(world);
const changes = await openChanges(database);
const { dashboard, faults } = testDashboard(database);

interface Procedure {
  path: string;
  meta: DashboardMeta;
  input: z.ZodType | undefined;
  line: AccessLine;
}

function listProcedures(router: object, path: string[] = []): Procedure[] {
  return Object.entries(router).flatMap(([name, value]: [string, any]): Procedure[] => {
    const procedure = value["~orpc"];
    const at = [...path, name];
    if (!procedure) return listProcedures(value, at);
    const line = (TABLE as Record<string, AccessLine>)[at.join(".")]!;
    return [{ path: at.join("."), meta: procedure.meta, input: procedure.inputSchema, line }];
  });
}

const PROCEDURES = listProcedures(dashboardRouter);

interface Answer {
  status: number;
  text: string;
  code: string | undefined;
  message: string | undefined;
}

const { name: COOKIE } = sessionCookie(true);

/** Each session's cookie, encrypted once. */
const cookies: Record<string, Promise<string>> = {};
const cookieOf = async (sessionId: string): Promise<string> =>
  `${COOKIE}=${await (cookies[sessionId] ??= encode({ token: { sessionId }, secret: AUTH_SECRET, salt: COOKIE }))}`;

/** A call over HTTP: with a cookie and its CSRF header, or with a token. */
async function call(
  path: string,
  { sessionId, authorization }: Pick<Caller, "sessionId" | "authorization">,
  input: unknown,
  guard: Record<string, string> = { "x-csrf-token": "orpc" },
) {
  const headers: Record<string, string> = { "content-type": "application/json", ...(authorization === null ? guard : { authorization }) };
  if (sessionId !== null) headers["cookie"] = await cookieOf(sessionId);
  const sent = JSON.stringify({ json: input });
  // A body of unknown length would take one of the few slots for large ones.
  headers["content-length"] = String(Buffer.byteLength(sent));
  const answer = await dashboard.rpc({
    method: "POST",
    target: `/rpc/${path.replace(".", "/")}`,
    header: (name) => headers[name],
    readText: async () => sent,
  });
  const { status, body: text } = answer!;
  const { code, message } = ((JSON.parse(text) as { json?: unknown }).json ?? {}) as { code?: string; message?: string };
  return { status, text, code, message } satisfies Answer;
}

/** A procedure's full input: what its line says, and the world's Sandbox if it needs one. */
async function inputOf({ line }: Procedure, caller: Caller): Promise<object | undefined> {
  const { slug, kind } = world.own;
  const input = await line.input?.(world, caller);
  if (line.scope === "project") return { project: slug, ...input };
  return line.scope === "environment" ? { project: slug, environment: kind, ...input } : input;
}

/** The owner's input for calls that change nothing, which can share it. */
const sharedInputs = new Map<string, Promise<object | undefined>>();
const sharedInputOf = (procedure: Procedure): Promise<object | undefined> => {
  const input = sharedInputs.get(procedure.path) ?? inputOf(procedure, owner);
  sharedInputs.set(procedure.path, input);
  return input;
};

/** An input that is invalid except for the world's Sandbox; null if the procedure takes no other input. */
function invalidInputOf({ input }: Procedure): object | null {
  if (!input) return null;
  const place = { project: world.own.slug, environment: world.own.kind };
  const fields = Object.keys(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }).properties ?? {});
  const filled = { ...Object.fromEntries(fields.map((field) => [field, { invalid: true }])), ...place };
  return [place, filled].find((one) => !input.safeParse(one).success) ?? null;
}

/** The Owner, the session of the lowest role and the token of the lowest role among these callers. */
function extremesOf(callers: readonly Caller[]): Caller[] {
  const fromLowest = callers
    .filter(({ role }) => role !== null)
    .toSorted((one, other) => ROLES.indexOf(other.role!) - ROLES.indexOf(one.role!));
  const chosen = [owner, fromLowest.find(({ isToken }) => !isToken), fromLowest.find(({ isToken }) => isToken)];
  return callers.filter((caller) => chosen.includes(caller));
}

/** A thing of another project. No call may change it, so one is enough. */
const othersThings = new Map<string, Promise<string>>();
const othersThing = (thing: Thing, place: WorldEnvironment): Promise<string> => {
  const id = othersThings.get(`${thing} ${place.slug}`) ?? MAKERS[thing](database, place);
  othersThings.set(`${thing} ${place.slug}`, id);
  return id;
};

/** The expected answer to a caller: "in", or a refusal. */
function expectedOf(line: AccessLine, { role, liveRole, userId, isToken, boundTo, isOfOrganization }: Caller): string {
  if (userId === null) return "401 UNAUTHORIZED";
  if (isToken && line.tokens === "none") return "403 FORBIDDEN";
  if (line.scope === "installation") return "in";
  if (isToken && (boundTo === "tests") !== (line.tokens === "tests")) return "403 FORBIDDEN";
  if (line.scope === "organization") return isOfOrganization && isAtLeast(role!, line.role!) ? "in" : "422 REFUSED";
  if (role === null) return isToken ? "403 FORBIDDEN" : "404 NOT_FOUND";
  if (boundTo !== null && line.tokens === "ofBothEnvironments") return "403 FORBIDDEN";
  if (boundTo === "live" && line.scope === "environment") return "403 FORBIDDEN";
  const needed = line.tokens === "ofBothEnvironments" ? (liveRole ?? role) : role;
  return isAtLeast(needed, line.role!) ? "in" : "403 FORBIDDEN";
}

const owner = world.callers.find(({ name }) => name === "Owner of the organization")!;
const ownerToken = world.callers.find(({ name }) => name === "token of role Owner")!;

test("every procedure has a line, every line a procedure, and each procedure agrees with its line", () => {
  expect(PROCEDURES.map(({ path }) => path).sort()).toEqual(Object.keys(TABLE).sort());
  expect(PROCEDURES.length).toBeGreaterThan(50);
  for (const { path, meta, line } of PROCEDURES) {
    const isOfProject = line.scope === "project" || line.scope === "environment";
    expect(meta.scope, path).toBe(isOfProject ? line.scope : "person");
    expect(meta.role, path).toBe(isOfProject ? line.role : null);
    expect(typeof meta.tokens === "function" ? meta.tokens({}) : meta.tokens, path).toBe(line.tokens);
    expect(meta.isSensitive, path).toBe(line.isSensitive);
    expect(meta.isBeforeFactor, path).toBe(line.isBeforeFactor);
  }
});

test("every field that can take an id is in its procedure's line", () => {
  // Ids chosen by the caller, so that a repeated call takes effect once; and hashes, which choose among the project's own images.
  const others = [
    ...["players.adjustPoints requestId", "players.grantMission requestId", "players.grantObjective requestId"],
    "definitions.images ids",
  ];
  for (const { path, input, line } of PROCEDURES) {
    if (!input) continue;
    const fields = new Set<string>();
    const walk = (node: any): void => {
      for (const [name, value] of Object.entries<any>(node.properties ?? {})) {
        if (/^(id|ids|key|keys|seqs?|player|organization|chosen)$|[a-z]Ids?$/.test(name) || value.format === "uuid") fields.add(name);
      }
      for (const part of [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])]) walk(part);
    };
    walk(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }));
    for (const field of fields) {
      if (!others.includes(`${path} ${field}`)) expect(Object.keys(line.ids ?? {}), `${path} ${field}`).toContain(field);
    }
  }
});

describe.each(PROCEDURES.map((procedure) => [procedure.path, procedure] as const))("%s", (path, procedure) => {
  const { line } = procedure;

  test.skipIf(isSpread())("is for its role, in its project, by those tokens; a refused caller changes nothing", async () => {
    const refused = world.callers.filter((caller) => expectedOf(line, caller) !== "in");
    const input = await sharedInputOf(procedure);
    const before = await changes();
    const answers = await Promise.all(refused.map((caller) => call(path, caller, input)));
    expect(
      Object.fromEntries(refused.map(({ name }, at) => [name, `${answers[at]!.status} ${answers[at]!.code}`])),
      answers.map(({ text }) => text).join("\n"),
    ).toEqual(Object.fromEntries(refused.map((caller) => [caller.name, expectedOf(line, caller)])));
    expect(await changes()).toBe(before);
  });

  for (const [field, named] of Object.entries(line.ids ?? {})) {
    const { thing, as, ofBothEnvironments = false } = typeof named === "string" ? { thing: named, as: (id: string): unknown => id } : named;

    test.skipIf(isSpread())(`takes no ${field} of another environment, project or organization`, async () => {
      const ids = await Promise.all([world.sibling, world.foreign].map((place) => othersThing(thing, place)));
      if (!OF_PROJECTS.has(thing) && !ofBothEnvironments) ids.unshift(await MAKERS[thing](database, world.ownLive));
      // The sibling's organization is the owner's own.
      const others = thing === "organization" ? ids.slice(1) : ids;
      if (thing === "delivery") others.push(await deliveryTo(database, world.own, await MAKERS.endpoint(database, world.own)));
      const input = await sharedInputOf(procedure);
      const before = await changes();
      const answerFor = async (id: string) => {
        const { status, text } = await call(path, owner, { ...input, [field]: as(id) });
        return { status, text: text.replaceAll(new RegExp(`\\b${id}\\b`, "g"), "<id>") };
      };
      // The answer must be exactly the one for an unknown id.
      const unknown = await answerFor(UNKNOWN_IDS[thing] ?? randomUUID());
      for (const id of others) expect(await answerFor(id)).toEqual(unknown);
      expect(await changes()).toBe(before);
    });
  }

  test("admits only allowed callers, changes something only where its line says so, and reveals no secret", async () => {
    const mayCall = world.callers.filter((caller) => expectedOf(line, caller) === "in");
    const invalid = invalidInputOf(procedure);
    const letIn = isSpread() ? mayCall.slice(0, 1) : invalid === null ? mayCall : extremesOf(mayCall);
    expect(letIn).not.toEqual([]);
    const inputs: (object | undefined)[] = [];
    // Reads can share their input; each write needs its own.
    for (const caller of line.writes ? letIn : letIn.slice(0, 1)) inputs.push(await inputOf(procedure, caller));
    const before = isSpread() ? "" : await changes();
    const secrets = await secretsNow();
    const answers: { caller: Caller; text: string }[] = [];
    for (const [at, caller] of letIn.entries()) {
      const { status, text } = await call(path, caller, inputs[at] ?? inputs[0]);
      expect(status, `${caller.name}: ${text}`).toBe(line.answers ?? 200);
      if (!SHOWN_ONCE.has(path)) expect(text).not.toMatch(/whsec_|svc_(sbox|live|pat)_[0-9a-f]{8}/);
      answers.push({ caller, text });
      await line.undo?.(world);
    }
    // Only writes create secrets, and no `undo` deletes them.
    if (line.writes) secrets.push(...(await secretsNow()));
    for (const { caller, text } of answers) {
      const isOwn = (secret: string) => path === "account.read" && secret === caller.sessionId;
      expect(
        secrets.filter((secret) => text.includes(secret) && !isOwn(secret)),
        caller.name,
      ).toEqual([]);
      expect(text.includes(ENDPOINT_QUERY), caller.name).toBe(path === "webhooks.list" && isAtLeast(caller.role!, "Admin"));
    }
    if (isSpread()) return;
    expect((await changes()) !== before).toBe(line.writes);
    // The guard runs before validation, so an invalid input is enough to see that the others are admitted.
    const others = mayCall.filter((caller) => !letIn.includes(caller));
    const admitted = await Promise.all(others.map((caller) => call(path, caller, invalid)));
    for (const [at, { status, code, text }] of admitted.entries())
      expect(`${status} ${code}`, `${others[at]!.name}: ${text}`).toBe("400 BAD_REQUEST");
  });
});

test.skipIf(isSpread())("a lower role in Live is the role there, and for calls that write both environments", async () => {
  const caller = world.callers.find(({ liveRole }) => liveRole !== null)!;
  const guardedInLive = PROCEDURES.filter(({ line }) => line.scope === "environment" && line.role !== "Viewer");
  const inLive = await Promise.all(
    guardedInLive.map(async (procedure) => ({
      path: procedure.path,
      input: { ...(await sharedInputOf(procedure)), environment: "live" },
    })),
  );
  const save = PROCEDURES.find(({ path }) => path === "definitions.save")!;
  const inBoth = { path: save.path, input: { ...(await sharedInputOf(save)), alsoIn: { revision: null } } };
  const before = await changes();
  for (const { path, input } of [...inLive, inBoth]) {
    const { status, message } = await call(path, caller, input);
    expect({ status, message }, path).toEqual({ status: 403, message: expect.stringMatching(/yours in Live is Viewer/) });
  }
  expect(inLive.length).toBeGreaterThan(30);
  expect(await changes()).toBe(before);
});

test.skipIf(isSpread())("a project of others answers like an unknown one, and so does one's own once it is archived", async () => {
  const inProjects = PROCEDURES.filter(({ line }) => line.scope === "project" || line.scope === "environment");
  const named = (name: string) => world.callers.find((caller) => caller.name === name)!;
  const others = [named("Owner of another project of the organization"), ownerToken];
  for (const procedure of inProjects) {
    const input = await sharedInputOf(procedure);
    for (const caller of others) {
      const theirs = caller === ownerToken ? world.sibling.slug : world.own.slug;
      const [there, nowhere] = await Promise.all(
        [theirs, "no-such-project"].map((project) => call(procedure.path, caller, { ...input, project })),
      );
      expect(there, `${procedure.path} ${caller.name}`).toEqual(nowhere);
    }
  }
  await database.sql`update projects set archived_at = now() where slug = ${world.own.slug}`;
  for (const procedure of inProjects) {
    const { path, line } = procedure;
    const isClosed = line.tokens === "none" || line.tokens === "tests";
    const input = await sharedInputOf(procedure);
    const answers = await Promise.all([owner, ownerToken].map((caller) => call(path, caller, input)));
    expect(
      answers.map(({ status }) => status),
      path,
    ).toEqual([404, isClosed ? 403 : 404]);
  }
  await database.sql`update projects set archived_at = null where slug = ${world.own.slug}`;
});

/** Procedures that return a new secret, the only time that it is shown. */
const SHOWN_ONCE = new Set([
  "keys.create",
  "tokens.create",
  "webhooks.create",
  "webhooks.rotateSecret",
  "webhooks.listen",
  "channels.create",
]);

test("every column that may be a secret is searched for in the answers, and each has values", async () => {
  const found = await database.sql<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and (column_name ~ 'hash|secret|password|token|salt|cipher' or data_type = 'bytea') order by 1`;
  const names = found.map(({ name }) => name).filter((name) => !NO_SECRETS.has(name));
  expect([...names, "accounts.provider_account_id", "notice_channels.url", "sessions.id"].sort()).toEqual(SECRETS);
  for (const name of SECRETS) {
    const [table, column] = name.split(".") as [string, string];
    const [row] = await database.sql`select 1 from ${database.sql(table)} where ${database.sql(column)} is not null limit 1`;
    expect(row, name).toBeDefined();
  }
});

/** Tokens' names, uploaded images, the bodies of receivers' answers, a flag and an instant. */
const NO_SECRETS = new Set([
  "audit_log.token",
  "change_request_events.token",
  "change_requests.token",
  "definition_versions.token",
  "images.bytes",
  "scheduled_changes.token",
  "users.is_password_confirmed",
  "webhook_answers.body",
  "webhook_endpoints.previous_secret_expires_at",
]);

/** Things that belong to no single environment. */
const OF_PROJECTS = new Set<Thing>(["member", "channel", "invitation", "token", "session", "device", "organization", "auditEntry"]);

/** Unknown ids of things that are not named by UUID. */
const UNKNOWN_IDS: Partial<Record<Thing, string>> = {
  player: "nobody",
  definition: "nothing",
  quarantined: "999999999999",
  auditEntry: "999999999999",
  organization: "nowhere",
};

test("after an hour without a proof, a session's sensitive calls change nothing; its other calls and tokens continue to work", async () => {
  const { sql } = database;
  const inputs = new Map<string, object | undefined>();
  for (const procedure of PROCEDURES) if (procedure.line.isSensitive) inputs.set(procedure.path, await sharedInputOf(procedure));
  // A first password would itself be a proof.
  await sql`update users set password_hash = null where id = ${owner.userId}`;
  inputs.set("account.changePassword", { current: "", next: "a few words in a row" });
  await sql`update sessions set proved_at = now() - interval '61 minutes' where id = ${owner.sessionId}`;
  const before = await changes();
  for (const [path, input] of inputs) {
    const { status, code } = await call(path, owner, input);
    expect({ status, code }, path).toEqual({ status: 403, code: "CONFIRM_IDENTITY" });
  }
  expect(await changes()).toBe(before);
  expect(inputs.size).toBeGreaterThan(15);
  const input = { project: world.own.slug, environment: "sandbox" };
  expect((await call("keys.list", owner, input)).status).toBe(200);
  expect((await call("keys.create", ownerToken, { ...input, name: "by a token" })).status).toBe(200);
  await sql`update sessions set proved_at = now() where id = ${owner.sessionId}`;
  await sql`update users set password_hash = ${`hashed ${owner.userId}`} where id = ${owner.userId}`;
});

test("a session without its required second factor can only set one up", async () => {
  const { sql } = database;
  const { organizationId } = world.own.environment;
  await sql`update second_factors set secret = null, confirmed_at = null`;
  await sql`update organizations set second_factor = 'live' where id = ${organizationId}`;
  const before = await changes();
  for (const procedure of PROCEDURES) {
    const { path, line } = procedure;
    if (line.isBeforeFactor) continue;
    const { status, code } = await call(path, owner, { project: world.own.slug, environment: "sandbox" });
    expect({ status, code }, path).toEqual({ status: 403, code: "SECOND_FACTOR_DUE" });
  }
  expect(await changes()).toBe(before);
  const asked = async (named: string) => {
    const caller = world.callers.find(({ name }) => name === named)!;
    return (await call("keys.list", caller, { project: world.own.slug, environment: "sandbox" })).code ?? "in";
  };
  // Members who may change nothing in Live need no second factor, nor do provider sessions and tokens.
  expect(await asked("Viewer of the project")).toBe("in");
  expect(await asked("Editor of the project, Viewer in Live")).toBe("in");
  expect(await asked("Support of the organization")).toBe("SECOND_FACTOR_DUE");
  expect(await asked("token of role Owner")).toBe("in");
  expect(await asked("Owner of another organization")).toBe("NOT_FOUND");
  await sql`update sessions set is_by_provider = true where id = ${owner.sessionId}`;
  expect(await asked("Owner of the organization")).toBe("in");
  await sql`update organizations set second_factor = 'everybody' where id = ${organizationId}`;
  expect(await asked("Viewer of the project")).toBe("SECOND_FACTOR_DUE");
  await sql`update organizations set second_factor = null`;
  await sql`update sessions set is_by_provider = false where id = ${owner.sessionId}`;
});

test("invalid credentials open nothing", async () => {
  const input = { project: world.own.slug, environment: "sandbox" };
  const { sessionId } = owner;
  const apiKey = await createApiKey(database, world.own.environment, "an API key");
  for (const credentials of [
    { sessionId: "", authorization: null },
    { sessionId: randomUUID(), authorization: null },
    { sessionId: "' or true --", authorization: null },
    { sessionId: null, authorization: `Bearer ${writePersonalToken(randomBytes(TOKEN_BYTES))}` },
    { sessionId: null, authorization: `Bearer ${apiKey}` },
    // With a bearer header, the cookie beside it does not count.
    { sessionId, authorization: `Bearer ${apiKey}` },
    { sessionId, authorization: "Bearer nonsense" },
  ]) {
    expect((await call("keys.list", credentials, input)).status, JSON.stringify(credentials)).toBe(401);
  }
});

test("a cookie without the CSRF header opens nothing; a token needs none", async () => {
  const input = { project: world.own.slug, environment: "sandbox" };
  const { sessionId } = owner;
  expect((await call("keys.list", { sessionId, authorization: null }, input, {})).status).toBe(403);
  expect((await call("keys.list", { sessionId, authorization: "Basic eDp5" }, input)).status).toBe(403);
  expect((await call("keys.list", { sessionId: null, authorization: ownerToken.authorization }, input)).status).toBe(200);
});

test("none of the calls of this file caused a server error", () => {
  expect(faults).toEqual([]);
});
