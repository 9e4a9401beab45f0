import { randomBytes, randomInt, randomUUID, randomUUIDv7 } from "node:crypto";
import { isSpread } from "#db/testing.ts";
import type { Database, Sql } from "#db/client.ts";
import { invite } from "../../people/identity/invite.ts";
import { type Environment, type EnvironmentKind, DEMO, type Role, ROLES } from "../../model/kernel/environment.ts";
import { purchase } from "../../game/marketplace/service/shop.ts";
import { playerKey } from "../../model/players/identity.ts";
import { createProject } from "../../people/projects/projects.ts";
import { createTestProject } from "../../people/projects/test-projects.ts";
import { savePlayer } from "../../game/players/service/players.ts";
import { hashOf } from "../../model/api-keys/key.ts";
import { TOKEN_BYTES, type TokenEnvironment, writePersonalToken } from "../../model/tokens/token.ts";
import { NONCE_BYTES } from "../../model/webhooks/secret-cipher.ts";
import { testCipher } from "../../delivery/testing.ts";
import { definitionsOf } from "../../engine/definitions.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { loadEnvironment } from "../../engine/environment.ts";

/** An organization with two projects, another with one, and all kinds of callers; for the access test. */
export interface World {
  database: Database;
  /** Calls use the Sandbox of this project, unless stated otherwise. */
  own: WorldEnvironment;
  ownLive: WorldEnvironment;
  /** In the same organization. */
  sibling: WorldEnvironment;
  /** In another organization. */
  foreign: WorldEnvironment;
  callers: Caller[];
}

export interface WorldEnvironment {
  slug: string;
  kind: EnvironmentKind;
  environment: Environment;
}

/** A caller: with a session, with a token, or anonymous. */
export interface Caller {
  name: string;
  sessionId: string | null;
  authorization: string | null;
  userId: string | null;
  /** The caller's role in the world's project; null for none. */
  role: Role | null;
  /** Their lower role in Live; null: the same. */
  liveRole: Role | null;
  /** Whether the role covers the whole organization. */
  isOfOrganization: boolean;
  isToken: boolean;
  /** For a bound token. */
  boundTo: TokenEnvironment | null;
}

const insertId = async (rows: PromiseLike<readonly object[]>): Promise<string> => String((Object.values((await rows)[0]!) as unknown[])[0]);

let dailyBoards = 0;
const unique = (): string => randomBytes(6).toString("hex");

/** The query of all endpoints' URLs. */
export const ENDPOINT_QUERY = "key=not-for-everybody";

/** Factories of things in an environment, or in its project; each creates a new one and returns the id that procedures use. */
export const MAKERS = {
  member: async ({ sql }: Database, place: WorldEnvironment) => (await member(sql, place, "Viewer", true)).membershipId,

  /** The user id of an Owner of the project. */
  invitation: async (database: Database, place: WorldEnvironment) => {
    const { userId } = await member(database.sql, place, "Owner", true);
    const email = `${unique()}@example.com`;
    const where = { person: { userId }, actor: { userId, name: "an owner" }, project: place.environment };
    await invite(database, where, { email, role: "Viewer", scope: "project" });
    return insertId(database.sql`select id from invitations where email = ${email}`);
  },

  key: ({ sql }: Database, { environment }: WorldEnvironment) =>
    insertId(sql`
      insert into api_keys (environment_id, name, hash, hint) values (${environment.id}, 'a key', ${randomBytes(32)}, 'svc_…') returning id`),

  token: async ({ sql }: Database, place: WorldEnvironment) => {
    const { membershipId } = await member(sql, place, "Viewer", true);
    return (await token(sql, place, membershipId, "Viewer", null)).id;
  },

  endpoint: ({ sql }: Database, { environment }: WorldEnvironment) => {
    const id = randomUUID();
    const secret = testCipher.encrypt(id, "whsec_c2VjcmV0", randomBytes(NONCE_BYTES));
    return insertId(sql`
      insert into webhook_endpoints (id, environment_id, url, events, secret, previous_secret, previous_secret_expires_at)
      values (${id}, ${environment.id}, ${`http://127.0.0.1:1/?${ENDPOINT_QUERY}`}, '{mission.completed}', ${secret}, ${`${secret} before`}, now()) returning id`);
  },

  /** A delivery to an endpoint of its own. */
  delivery: async (database: Database, place: WorldEnvironment) => deliveryTo(database, place, await MAKERS.endpoint(database, place)),

  /** The id of an event in the log. */
  event: async (database: Database, place: WorldEnvironment) => {
    const { part, playerId } = playerKey(place.environment.id, await MAKERS.player(database, place));
    return insertId(database.sql`
      insert into events (part, player_id, id, environment_id, definition_id, seq, occurred_at, received_at)
      values (${part}, ${playerId}, ${randomUUID()}, ${place.environment.id}, 1, nextval('fact_seq'), now(), now()) returning id`);
  },

  /** An entry of the audit log. */
  auditEntry: ({ sql }: Database, { environment }: WorldEnvironment) =>
    insertId(sql`
      insert into audit_log (project_id, environment_id, actor, action, subject_kind, subject_key)
      values (${environment.projectId}, ${environment.id}, 'somebody', 'update', 'events', 'order_placed') returning id`),

  /** A request in the log. */
  request: ({ sql }: Database, { environment }: WorldEnvironment) =>
    insertId(sql`
      insert into request_log (environment_id, id, at, key_id, method, status, duration_ms, trace_id, body_length)
      values (${environment.id}, ${randomUUIDv7()}, now(), ${randomUUID()}, 'GET', 200, 1, 'a trace', 0) returning id`),

  player: async (database: Database, { environment }: WorldEnvironment) => {
    const externalId = `player-${unique()}`;
    await savePlayer(database, environment, Date.now(), externalId, {});
    return externalId;
  },

  purchase: async (database: Database, place: WorldEnvironment) => {
    await define(database, place, {
      catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
      marketplaceItems: [{ key: "voucher", name: "Voucher", priceInPoints: 0, contents: [{ catalogItem: "coffee", value: 1 }] }],
    });
    const externalId = await MAKERS.player(database, place);
    await purchase(database, place.environment, Date.now(), { externalId, listingKey: "voucher", idempotencyKey: null });
    return insertId(database.sql`
      select b.id from marketplace_purchases b join players p using (part, player_id) where p.external_id = ${externalId}`);
  },

  /** The key of an event. */
  definition: async (database: Database, place: WorldEnvironment) => {
    const key = `event_${unique()}`;
    await define(database, place, { events: [{ key, name: "An event" }] });
    return key;
  },

  /** An event with a name under an unknown language, as stored before codes were checked. */
  unknownLanguage: async (database: Database, place: WorldEnvironment) => {
    const key = await MAKERS.definition(database, place);
    await database.sql`
      update definitions set body = jsonb_set(body, '{name,texts,german}', '"Ein Ereignis"')
      where environment_id = ${place.environment.id} and kind = 'events' and key = ${key}`;
    return "german";
  },

  /** A change, due tomorrow, of an event created for it. */
  scheduledChange: async (database: Database, place: WorldEnvironment) => {
    const key = await MAKERS.definition(database, place);
    return insertId(database.sql`
      insert into scheduled_changes (environment_id, kind, key, document, base_version, due_at, actor)
      values (${place.environment.id}, 'events', ${key}, ${JSON.stringify({ key, name: "Another name" })}, 1, now() + interval '1 day', 'an editor')
      returning id`);
  },

  /** A change request that creates an event. */
  changeRequest: ({ sql }: Database, { environment }: WorldEnvironment) => {
    const key = `event_${unique()}`;
    const after = { key, name: { default: "en", texts: { en: "An event" } }, active: true };
    const content = JSON.stringify([{ kind: "events", key, before: null, after }]);
    return insertId(sql`
      insert into change_requests (environment_id, title, reason, content, subjects, via, actor, editor)
      values (${environment.id}, 'Create an event', '', ${content}, array[${`events/${key}`}::text], 'save', 'an editor', 'an editor')
      returning id`);
  },

  /** An alert. Only some are kept: their number is bounded. */
  alert: ({ sql }: Database, { environment: { id } }: WorldEnvironment) =>
    insertId(sql`
      with gone as (delete from alerts where id in (select id from alerts where environment_id = ${id} order by created_at desc offset 10))
      insert into alerts (id, environment_id, name, figure, comparison, basis, threshold, hours)
      values (${randomUUID()}, ${id}, 'An alert', 'Events', 'Below', 'Bound', 1, 3) returning id`),

  /** A budget of a mission that is gone. Only some are kept: their number is bounded. */
  budget: ({ sql }: Database, { environment: { id } }: WorldEnvironment) =>
    insertId(sql`
      with gone as (delete from budgets where id in (select id from budgets where environment_id = ${id} order by created_at desc offset 10))
      insert into budgets (id, environment_id, kind, subject, measure, period, amount, switches_off)
      values (${randomUUID()}, ${id}, 'missions', ${-randomInt(1, 1_000_000_000)}, 'Points', 'Day', 100, true) returning id`),

  /** A channel of the project, with an unreachable receiver. Only some are kept: their number is bounded. */
  channel: ({ sql }: Database, { environment: { projectId } }: WorldEnvironment) => {
    const id = randomUUID();
    const [url, secret] = [`${id} url`, id].map((name) => testCipher.encrypt(name, "http://127.0.0.1:1/", randomBytes(NONCE_BYTES)));
    return insertId(sql`
      with gone as (
        delete from notice_channels
        where id in (select id from notice_channels where project_id = ${projectId} order by created_at desc offset 10)
      )
      insert into notice_channels (id, project_id, type, name, kinds, url, shown_url, secret)
      values (${id}, ${projectId}, 'Signed', 'A channel', '{Quarantined}', ${url!}, 'http://127.0.0.1:1', ${secret!}) returning id`);
  },

  /** A finished backtest: an environment has only one that waits or runs. */
  backtest: ({ sql }: Database, { environment }: WorldEnvironment) =>
    insertId(sql`
      insert into backtests (environment_id, kind, key, document, along, fingerprint, days, entry, sample, created_by, status)
      values (${environment.id}, 'missions', 'tried', '', '[]', '', 30, 'WindowStart', 100, 'somebody', 'Done') returning id`),
  /** An import whose file is incomplete. */
  import: ({ sql }: Database, { environment }: WorldEnvironment) =>
    insertId(sql`
      insert into imports (id, environment_id, kind, format, file_name, created_by)
      values (${randomUUID()}, ${environment.id}, 'players', 'csv', 'players.csv', 'somebody') returning id`),

  /** The key of a listing. */
  listing: async (database: Database, place: WorldEnvironment) => {
    const key = `listing_${unique()}`;
    await define(database, place, {
      catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
      marketplaceItems: [{ key, name: "A listing", priceInPoints: 1, contents: [{ catalogItem: "coffee", value: 1 }] }],
    });
    return key;
  },

  /** The key of a segment whose next count is due tomorrow. */
  segment: async (database: Database, place: WorldEnvironment) => {
    const key = `segment_${unique()}`;
    await define(database, place, {
      segments: [{ key, name: "A segment", rule: { points: "Balance", operator: "GreaterThan", value: 1 } }],
    });
    await database.sql`
      insert into segment_counts (segment_id, environment_id, rule, definitions_version, clock_offset_ms, due_at)
      select id, environment_id, 'its rule', 1, 0, now() + interval '1 day' from definitions
      where environment_id = ${place.environment.id} and kind = 'segments' and key = ${key}`;
    return key;
  },

  /** The key of a mission. */
  mission: async (database: Database, place: WorldEnvironment) => {
    const key = `mission_${unique()}`;
    const event = await MAKERS.definition(database, place);
    const objectives = [{ event, operator: "GreaterThanOrEqualTo", target: 2 }];
    await define(database, place, { missions: [{ key, name: "A mission", objectives, rewards: [{ kind: "Points", points: 1 }] }] });
    return key;
  },

  /** The key of a leaderboard without end. */
  board: async (database: Database, place: WorldEnvironment) => {
    const key = `board_${unique()}`;
    await define(database, place, {
      leaderboards: [{ key, name: "A board", scoreSource: "Points", rankOrder: "HighestFirst", period: { kind: "AllTime" } }],
    });
    return key;
  },

  /** The key of a daily leaderboard; each settles a minute after the previous one. */
  dailyBoard: async (database: Database, place: WorldEnvironment) => {
    const key = `board_${unique()}`;
    const period = { kind: "Calendar", every: "Day" };
    const settling = { period, settleAfterMinutes: ++dailyBoards };
    await define(database, place, {
      leaderboards: [{ key, name: "A board", scoreSource: "Points", rankOrder: "HighestFirst", ...settling }],
    });
    return key;
  },

  /** The position of a quarantined fact in the order of facts. */
  quarantined: async (database: Database, place: WorldEnvironment) => {
    const { part, playerId } = playerKey(place.environment.id, await MAKERS.player(database, place));
    return insertId(database.sql`
      insert into quarantined_facts
        (environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload, error)
      values (${place.environment.id}, nextval('fact_seq'), ${part}, ${playerId}, 'Event', ${randomUUID()}, 1, now(), now(), '{}', 'failed')
      returning seq`);
  },

  /** The slug of a test project. */
  testProject: async (database: Database, { environment }: WorldEnvironment) => {
    const made = await createTestProject(database, environment, DEMO, { hours: 1 });
    if ("problems" in made) throw new Error(JSON.stringify(made.problems));
    return made.slug;
  },

  session: async ({ sql }: Database, place: WorldEnvironment) => session(sql, (await member(sql, place, "Viewer", true)).userId),

  /** A browser that is remembered, of a member with a second factor. */
  device: async ({ sql }: Database, place: WorldEnvironment) => {
    const { userId } = await member(sql, place, "Viewer", true);
    await giveFactor(sql, userId);
    return device(sql, userId);
  },

  organization: ({ sql }: Database, { environment }: WorldEnvironment) =>
    insertId(sql`select slug from organizations where id = ${environment.organizationId}`),
};

export type Thing = keyof typeof MAKERS;

/** A player whose daily streak ended some days ago. */
export async function lostStreak(database: Database, place: WorldEnvironment): Promise<{ externalId: string; streak: string }> {
  const streak = `streak_${unique()}`;
  const event = await MAKERS.definition(database, place);
  await define(database, place, { streaks: [{ key: streak, name: "A streak", event, cadence: "Day" }] });
  const externalId = await MAKERS.player(database, place);
  const { part, playerId } = playerKey(place.environment.id, externalId);
  await database.sql`
    insert into streak_runs (part, player_id, streak_id, origin, first, last, length, freezes, paid)
    select ${part}, ${playerId}, id, current_date - 4, current_date - 4, current_date - 4, 1, 0, '{}'
    from definitions where environment_id = ${place.environment.id} and kind = 'streaks' and key = ${streak}`;
  return { externalId, streak };
}

export const deliveryTo = ({ sql }: Database, { environment }: WorldEnvironment, endpointId: string): Promise<string> =>
  insertId(sql`
    insert into webhook_deliveries (id, endpoint_id, environment_id, event, source_id, data, occurred_at, status)
    values (${randomUUID()}, ${endpointId}, ${environment.id}, 'mission.completed', ${randomUUID()}, '{}', now(), 'Failed') returning id`);

async function define(database: Database, { environment }: WorldEnvironment, lists: object): Promise<void> {
  const result = await importDefinitions(database, environment, { version: 1, ...lists });
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
}

async function member(sql: Sql, { environment }: WorldEnvironment, role: Role, isOfProject: boolean) {
  const projectId = isOfProject ? environment.projectId : null;
  const userId = await insertId(sql`
    insert into users (email, password_hash) values (${`${unique()}@example.com`}, ${`hashed ${unique()}`}) returning id`);
  const membershipId = await insertId(sql`
    insert into memberships (user_id, organization_id, project_id, role)
    values (${userId}, ${environment.organizationId}, ${projectId}, ${role}) returning id`);
  return { userId, membershipId };
}

export const session = (sql: Sql, userId: string, lasts = "1 hour"): Promise<string> =>
  insertId(sql`insert into sessions (user_id, expires_at) values (${userId}, now() + ${lasts}::interval) returning id`);

export const device = (sql: Sql, userId: string): Promise<string> =>
  insertId(sql`
    insert into remembered_devices (user_id, token_hash, expires_at) values (${userId}, ${randomBytes(32)}, now() + interval '1 day')
    returning id`);

/** A second factor that is in use; no code fits it. */
export const giveFactor = (sql: Sql, userId: string) => sql`
  insert into second_factors (user_id, secret, confirmed_at) values (${userId}, ${`secret of ${userId}`}, now())
  on conflict (user_id) do update set secret = excluded.secret, confirmed_at = excluded.confirmed_at`;

async function token(
  sql: Sql,
  { environment }: WorldEnvironment,
  membershipId: string,
  role: Role,
  boundTo: TokenEnvironment | null,
  lasts = "1 hour",
) {
  const text = writePersonalToken(randomBytes(TOKEN_BYTES));
  const id = await insertId(sql`
    insert into personal_tokens (membership_id, project_id, environment, name, hash, hint, role, expires_at, last_used_at)
    values (${membershipId}, ${environment.projectId}, ${boundTo}, 'ci', ${hashOf(text)}, 'svc_…', ${role}, now() + ${lasts}::interval, now())
    returning id`);
  return { id, authorization: `Bearer ${text}` };
}

export async function openWorld(database: Database): Promise<World> {
  const project = async (slug: string, organization: string) => {
    const made = await createProject(database, { slug, name: slug, defaultLanguage: "en", timeZone: "UTC" }, organization);
    const at = (kind: EnvironmentKind): WorldEnvironment => ({ slug, kind, environment: made[kind] });
    return { sandbox: at("sandbox"), live: at("live") };
  };
  const [own, sibling] = [await project("own", "first"), await project("sibling", "first")];
  const foreign = await project("foreign", "second");
  const places = { own: own.sandbox, ownLive: own.live, sibling: sibling.sandbox, foreign: foreign.sandbox };
  return { database, ...places, callers: await gather(database.sql, places) };
}

const SIGNED_OUT = {
  sessionId: null,
  authorization: null,
  userId: null,
  role: null,
  liveRole: null,
  isOfOrganization: false,
  isToken: false,
  boundTo: null,
};

async function gather(sql: Sql, { own, sibling, foreign }: Pick<World, "own" | "sibling" | "foreign">): Promise<Caller[]> {
  const signedIn = async (name: string, place: WorldEnvironment, role: Role, isOfProject: boolean): Promise<Caller> => {
    const { userId } = await member(sql, place, role, isOfProject);
    const inOwn = place === own ? role : null;
    return {
      ...SIGNED_OUT,
      name,
      userId,
      sessionId: await session(sql, userId),
      role: inOwn,
      isOfOrganization: !isOfProject && place === own,
    };
  };
  const byToken = async (name: string, role: Role, { maker = role as Role, of = own, boundTo = null as TokenEnvironment | null } = {}) => {
    const { userId, membershipId } = await member(sql, of, maker, false);
    const { id, authorization } = await token(sql, of, membershipId, role, boundTo);
    return { ...SIGNED_OUT, id, membershipId, name, userId, authorization, role, isToken: true, boundTo };
  };
  const callers: Caller[] = [];
  for (const role of ROLES) callers.push(await byToken(`token of role ${role}`, role, { maker: "Owner" }));
  callers.push(await signedIn("Owner of the organization", own, "Owner", false));
  callers.push(await signedIn("Admin of the organization", own, "Admin", false));
  callers.push(await signedIn("Admin of the project", own, "Admin", true));
  callers.push(await signedIn("Editor of the organization", own, "Editor", false));
  callers.push(await signedIn("Support of the organization", own, "Support", false));
  callers.push(await signedIn("Viewer of the project", own, "Viewer", true));
  const lowerInLive = await signedIn("Editor of the project, Viewer in Live", own, "Editor", true);
  await sql`update memberships set live_role = 'Viewer' where user_id = ${lowerInLive.userId}`;
  callers.push({ ...lowerInLive, liveRole: "Viewer" });
  callers.push(await signedIn("Owner of another project of the organization", sibling, "Owner", true));
  callers.push(await signedIn("Owner of another organization", foreign, "Owner", false));

  callers.push({ ...(await byToken("token of role Owner whose maker is a Viewer by now", "Owner", { maker: "Viewer" })), role: "Viewer" });
  callers.push(await byToken("token bound to the Sandbox", "Owner", { boundTo: "sandbox" }));
  callers.push(await byToken("token bound to Live", "Owner", { boundTo: "live" }));
  callers.push(await byToken("token for tests", "Owner", { boundTo: "tests" }));
  callers.push({ ...(await byToken("token of another project, of an Owner of both", "Owner", { of: sibling })), role: null });
  callers.push({ ...(await byToken("token of another organization", "Owner", { of: foreign })), role: null });
  const beside = await byToken("token of role Viewer beside an Owner's cookie", "Viewer", { maker: "Owner" });
  callers.push({ ...beside, sessionId: callers.find(({ name }) => name === "Owner of the organization")!.sessionId });

  const revoked = await byToken("revoked token", "Owner");
  await sql`update personal_tokens set revoked_at = '2026-01-01T00:00:00Z' where id = ${revoked.id}`;
  const expired = await byToken("expired token", "Owner");
  await sql`update personal_tokens set expires_at = now() where id = ${expired.id}`;
  const orphan = await byToken("token of a removed member", "Owner");
  await sql`delete from memberships where id = ${orphan.membershipId}`;
  const over = await signedIn("ended session", own, "Owner", false);
  await sql`update sessions set expires_at = now() where id = ${over.sessionId}`;
  for (const one of [revoked, expired, orphan, over]) callers.push({ ...one, role: null, userId: null });
  callers.push({ ...SIGNED_OUT, name: "nobody" });
  return callers;
}

/**
 * Counts, by table, the rows that committed statements write from now on, even with the same values: equal counts mean that nothing was
 * written in between. Times at which a user was last seen do not count. Over several machines neither do spread tables, which take no
 * triggers, nor counts of segments, which the background has not finished by then.
 */
export async function openChanges({ sql }: Database): Promise<() => Promise<string>> {
  await sql.unsafe(`
    create schema counting;
    create table counting.changes ("table" text not null);
    create function counting.count_change() returns trigger language plpgsql as $$ begin
      if tg_op = 'UPDATE' and tg_table_name in ('api_keys', 'personal_tokens', 'sessions')
        and to_jsonb(old) - '{last_seen_at,last_used_at}'::text[] = to_jsonb(new) - '{last_seen_at,last_used_at}'::text[] then return null; end if;
      insert into counting.changes values (tg_table_name);
      return null;
    end $$;
    do $$ declare name text; begin
      for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        ${isSpread() ? "and relname <> 'segment_counts' and oid not in (select logicalrelid from pg_dist_partition)" : ""} loop
        execute format('create trigger count_change after insert or update or delete on %I for each row execute function counting.count_change()', name);
        execute format('create trigger count_emptying after truncate on %I execute function counting.count_change()', name);
      end loop;
    end $$`);
  return async () => {
    const counts = await sql<{ table: string; count: number }[]>`select "table", count(*) from counting.changes group by 1 order by 1`;
    return counts.map(({ table, count }) => `${table} ${count}`).join(", ");
  };
}

/** A mission by its key, and the id of its first objective. */
export async function missionWithObjective(database: Database, place: WorldEnvironment): Promise<{ mission: string; objective: string }> {
  const mission = await MAKERS.mission(database, place);
  const { missionsByKey } = await definitionsOf(database.sql, (await loadEnvironment(database.sql, place.environment.id))!);
  return { mission, objective: missionsByKey.get(mission)!.objectives[0]!.id };
}
