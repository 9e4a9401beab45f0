import { randomBytes, randomUUID } from "node:crypto";
import type { TokenUse } from "../model/contract/rpc.ts";
import { type Caller, deliveryTo, lostStreak, MAKERS, missionWithObjective, session, type Thing, type World } from "./access-world.ts";
import type { dashboardRouter } from "./rpc/router.ts";
import type { Role } from "../model/kernel/roles.ts";
import { importDefinitions } from "../authoring/definitions/service/import.ts";

/** The access test's expectations for each procedure. Kept separate from the contract, so that each checks the other. */
export interface Line {
  /** The scope: any signed-in user, or the level at which the role is required. */
  scope: "installation" | "organization" | "project" | "environment";
  /** The lowest role; null: any signed-in user. */
  role: Role | null;
  tokens: TokenUse;
  /** Whether an allowed call changes anything. */
  writes: boolean;
  /** A valid input, without `project` and `environment`; whatever it names is created first. */
  input?(world: World, caller: Caller): Promise<object> | object;
  /** The fields that take an id. */
  ids?: Record<string, Thing | { thing: Thing; as(id: string): unknown; ofBothEnvironments?: boolean }>;
  /** The status of an allowed call; 200 unless given. */
  answers?: number;
  /** Restores what the next call needs. */
  undo?(world: World): Promise<unknown>;
}

type Paths<Router> = {
  [Domain in keyof Router & string]: `${Domain}.${keyof Router[Domain] & string}`;
}[keyof Router & string];

const made =
  (field: string, thing: Thing) =>
  async ({ database, own }: World) => ({ [field]: await MAKERS[thing](database, own) });

const reads = { writes: false } as const;
const writes = { writes: true } as const;
const viewer = { role: "Viewer", tokens: "any", scope: "environment" } as const;
const support = { role: "Support", tokens: "any", scope: "environment" } as const;
const editor = { role: "Editor", tokens: "any", scope: "environment" } as const;
const admin = { role: "Admin", tokens: "any", scope: "environment" } as const;
const account = { scope: "installation", role: null, tokens: "none" } as const;
const membersOf = (role: Role) => ({ scope: "project", role, tokens: "none" }) as const;

let count = 0;
/** No two calls define the same. */
const newKey = (): string => `made_${++count}`;
const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();
const nextCurrency = (): string => ["EUR", "USD"][++count % 2]!;
const newEvent = () => ({ kind: "events", document: JSON.stringify({ key: newKey(), name: "New" }), isNew: true });
const listing = {
  kind: "marketplaceItems",
  document: JSON.stringify({ key: "tried", name: "Tried", priceInPoints: 1, contents: [] }),
};
const aPlayer = { ...reads, input: made("externalId", "player"), ids: { externalId: "player" } } as const;
const anEndpoint = { input: made("id", "endpoint"), ids: { id: "endpoint" } } as const;
/** With a held delivery. */
const anEndpointThatIsOff = {
  input: async ({ database, own }: World) => {
    const id = await MAKERS.endpoint(database, own);
    await database.sql`update webhook_endpoints set disabled_at = now() where id = ${id}`;
    const delivery = await deliveryTo(database, own, id);
    await database.sql`update webhook_deliveries set status = 'Pending', due_at = now() where id = ${delivery}`;
    return { id };
  },
  ids: { id: "endpoint" },
} as const;
const aDelivery = {
  input: async ({ database, own }: World) => {
    const id = await MAKERS.endpoint(database, own);
    return { id, deliveryId: await deliveryTo(database, own, id) };
  },
  ids: { id: "endpoint", deliveryId: "delivery" },
} as const;
const aMember = { input: made("id", "member"), ids: { id: "member" } } as const;
const anInvitation = { input: made("id", "invitation"), ids: { id: "invitation" } } as const;
const anEvent = {
  input: async ({ database, own }: World) => ({ kind: "events", key: await MAKERS.definition(database, own) }),
  ids: { key: "definition" },
} as const;
const aSegment = { input: made("key", "segment"), ids: { key: "segment" } } as const;
const aBoard = { ...reads, input: made("key", "board"), ids: { key: "board" } } as const;
const DAYS = { from: "2026-01-01", to: "2026-01-31", by: "Week" };
const aRange = { ...reads, input: () => DAYS } as const;
const subscription = () => ({ url: `http://127.0.0.1:1/${newKey()}`, events: ["mission.completed"] });
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><title>T</title></svg>').toString();

/** The number of open imports is limited. */
const endImports = ({ database: { sql } }: World) => sql`update imports set status = 'Cancelled'`;

/** Every procedure of the dashboard; a procedure without a line does not compile, and fails the test. */
export const TABLE: Record<Paths<typeof dashboardRouter>, Line> = {
  "projects.me": { ...account, ...reads, tokens: "any" },
  "projects.place": { ...viewer, ...reads, scope: "project" },
  "projects.organizations": { ...account, ...reads },
  "projects.create": {
    ...{ ...writes, scope: "organization", role: "Admin", tokens: "none" },
    input: async ({ database, own }) => {
      const slug = newKey().replace("_", "-");
      return { slug, name: "New", defaultLanguage: "en", timeZone: "UTC", organization: await MAKERS.organization(database, own) };
    },
    ids: { organization: "organization" },
  },
  "projects.archive": {
    ...{ ...writes, scope: "project", role: "Owner", tokens: "ofBothEnvironments" },
    input: ({ own }) => ({ confirmation: own.slug }),
    undo: ({ database: { sql }, own }) => sql`update projects set archived_at = null where slug = ${own.slug}`,
  },

  "status.read": { ...reads, scope: "project", role: "Owner", tokens: "none" },

  "testProjects.create": { ...{ ...writes, scope: "project", role: "Editor", tokens: "tests" }, input: () => ({}) },
  "testProjects.remove": {
    ...{ ...writes, scope: "project", role: "Editor", tokens: "tests" },
    input: made("slug", "testProject"),
  },

  "members.list": { ...membersOf("Viewer"), ...reads },
  "members.invite": {
    ...{ ...membersOf("Admin"), ...writes },
    input: () => ({ email: `${newKey()}@example.com`, role: "Viewer", scope: "project" }),
  },
  "members.inviteAgain": { ...membersOf("Admin"), ...writes, ...anInvitation },
  "members.withdraw": { ...membersOf("Admin"), ...writes, ...anInvitation },
  "members.changeRole": {
    ...{ ...membersOf("Admin"), ...writes, ...aMember },
    input: async (world) => ({ ...(await aMember.input(world)), role: "Editor" }),
  },
  "members.remove": { ...membersOf("Admin"), ...writes, ...aMember },
  // Leaving is for one's own membership; this one is another user's, so it is refused. people.test.ts tests leaving.
  "members.leave": { ...membersOf("Viewer"), ...reads, ...aMember, answers: 422 },
  "members.resetPassword": { ...membersOf("Admin"), ...writes, ...aMember },

  "account.read": { ...account, ...reads },
  // A valid password takes time to hash; this one is refused by validation.
  "account.changePassword": { ...account, ...reads, input: () => ({ current: "", next: "short" }) },
  "account.endSession": {
    ...{ ...account, ...writes },
    input: async ({ database: { sql }, callers }, { userId }) => ({ id: await session(sql, userId ?? callers[0]!.userId!) }),
    ids: { id: "session" },
  },
  "account.endOtherSessions": {
    ...{ ...account, ...writes },
    input: async ({ database: { sql } }, { userId }) => {
      await session(sql, userId!);
      return {};
    },
  },

  "definitions.list": { ...viewer, ...reads, input: () => ({ kind: "missions" }) },
  "definitions.get": { ...viewer, ...reads, ...anEvent },
  "definitions.history": { ...viewer, ...reads, ...anEvent },
  "definitions.compareVersions": {
    ...{ ...viewer, ...reads, ...anEvent },
    input: async (world) => ({ ...(await anEvent.input(world)), from: 0, to: 1 }),
  },
  "definitions.restoreVersion": {
    ...{ ...editor, ...writes, ...anEvent },
    input: async (world) => {
      const { kind, key } = await anEvent.input(world);
      await importDefinitions(world.database, world.own.environment, { version: 1, events: [{ key, name: "Another name" }] });
      return { kind, key, version: 1 };
    },
  },
  "definitions.catalogue": { ...viewer, ...reads },
  "definitions.save": { ...editor, ...writes, input: newEvent },
  "definitions.check": { ...editor, ...reads, input: newEvent },
  "definitions.previewInOther": { ...editor, ...reads, tokens: "ofBothEnvironments", input: newEvent },
  "definitions.scheduleSave": {
    ...{ ...editor, ...writes },
    input: async (world) => {
      const { kind, key } = await anEvent.input(world);
      return { kind, document: JSON.stringify({ key, name: "Another name" }), revision: null, at: tomorrow() };
    },
  },
  "definitions.scheduled": { ...viewer, ...reads },
  "definitions.applyScheduled": { ...editor, ...writes, input: made("id", "scheduledChange"), ids: { id: "scheduledChange" } },
  "definitions.cancelScheduled": { ...editor, ...writes, input: made("id", "scheduledChange"), ids: { id: "scheduledChange" } },
  "definitions.setActive": {
    ...{ ...editor, ...writes, ...anEvent },
    input: async (world) => ({ ...(await anEvent.input(world)), active: false }),
  },
  "definitions.setActiveOfMany": {
    ...{ ...editor, ...writes },
    input: async (world) => ({ kind: "events", keys: [(await anEvent.input(world)).key], active: false }),
    ids: { keys: { thing: "definition", as: (key) => [key] } },
  },
  "definitions.remove": { ...editor, ...writes, ...anEvent },
  "definitions.uploadImage": {
    ...{ ...editor, ...writes },
    input: () => ({ bytes: Buffer.from(SVG.replace("T<", `${newKey()}<`)).toString("base64") }),
  },
  "definitions.images": { ...viewer, ...reads },
  "definitions.difference": { ...viewer, ...reads, tokens: "ofBothEnvironments" },
  "definitions.divergence": {
    ...{ ...viewer, ...reads, tokens: "ofBothEnvironments" },
    ...{ input: anEvent.input, ids: { key: { thing: "definition", as: (key) => key, ofBothEnvironments: true } } },
  },
  "definitions.promote": {
    ...{ ...editor, ...writes, tokens: "ofBothEnvironments" },
    input: async ({ database, own }) => ({ chosen: [{ kind: "events", key: await MAKERS.definition(database, own) }], dryRun: false }),
    ids: { chosen: { thing: "definition", as: (key) => [{ kind: "events", key }], ofBothEnvironments: true } },
  },
  "definitions.texts": { ...viewer, ...reads },
  "definitions.translate": {
    ...{ ...editor, ...writes, ...anEvent },
    input: async (world) => ({
      ...(await anEvent.input(world)),
      ...{ pointer: "/name", language: "fr", before: null, after: "Un événement" },
    }),
  },
  "definitions.repairLanguage": {
    ...editor,
    ...writes,
    input: async ({ database, own }) => ({ from: await MAKERS.unknownLanguage(database, own), to: "de" }),
  },
  "definitions.importTexts": {
    ...{ ...editor, ...writes },
    input: async (world) => ({
      text: `kind,key,field,de\nevents,${(await anEvent.input(world)).key},/name,Ein Ereignis`,
      dryRun: false,
    }),
  },
  "definitions.promoteAll": {
    ...{ ...editor, ...writes, tokens: "ofBothEnvironments" },
    input: async ({ database, own }) => {
      await MAKERS.definition(database, own);
      return { dryRun: false };
    },
  },
  "definitions.importFile": {
    ...{ ...editor, ...writes },
    input: () => ({ text: JSON.stringify({ version: 1, events: [{ key: newKey(), name: "New" }] }), dryRun: false }),
  },
  "definitions.settings": { ...viewer, ...reads },
  "definitions.saveSettings": {
    ...{ ...editor, ...writes },
    input: () => ({ baseCurrency: nextCurrency() }),
  },

  "projectSettings.read": { ...viewer, ...reads, scope: "project" },
  "projectSettings.save": {
    ...{ ...admin, ...writes, scope: "project", tokens: "ofBothEnvironments" },
    input: () => ({ name: newKey(), defaultLanguage: "en", timeZone: "UTC" }),
  },

  "keys.list": { ...viewer, ...reads },
  "keys.create": { ...admin, ...writes, input: () => ({ name: "new" }) },
  "keys.revoke": { ...admin, ...writes, input: made("id", "key"), ids: { id: "key" } },

  "tokens.list": { ...membersOf("Viewer"), ...reads },
  "tokens.create": {
    ...{ ...membersOf("Viewer"), ...writes },
    input: () => ({ name: "new", role: "Viewer", environment: null, days: 1 }),
  },
  "tokens.current": { ...account, ...reads, tokens: "any" },
  "tokens.end": {
    ...{ ...account, ...writes, tokens: "any" },
    // The callers' tokens are needed by later calls; the world's revoked one was revoked at the start of its year.
    undo: ({ database: { sql } }) => sql`update personal_tokens set revoked_at = null where revoked_at > '2026-01-01T00:00:00Z'`,
  },
  "tokens.approve": {
    ...{ ...membersOf("Viewer"), ...writes },
    input: () => ({ name: "new", role: "Viewer", environment: null, days: 1, hash: randomBytes(32).toString("hex"), lastFour: "0a1b" }),
  },
  "tokens.revoke": {
    ...{ ...membersOf("Viewer"), ...writes, ids: { id: "token" } },
    // One's own: other users' tokens are for Admins (tokens.test.ts).
    input: async ({ database, own }, { userId }) => {
      const id = await MAKERS.token(database, own);
      await database.sql`
        update personal_tokens t set membership_id = m.id from memberships m
        where t.id = ${id} and m.user_id = ${userId} and m.organization_id = ${own.environment.organizationId}`;
      return { id };
    },
  },

  "auditLog.list": { ...viewer, ...reads, scope: "project", tokens: "ofBothEnvironments" },
  "auditLog.changes": {
    ...{ ...viewer, ...reads, scope: "project", tokens: "ofBothEnvironments" },
    ...{ input: made("id", "auditEntry"), ids: { id: "auditEntry" } },
  },
  "auditLog.facets": { ...viewer, ...reads, scope: "project", tokens: "ofBothEnvironments" },

  "webhooks.list": { ...viewer, ...reads },
  "webhooks.create": { ...admin, ...writes, input: subscription },
  "webhooks.edit": {
    ...{ ...admin, ...writes, ...anEndpoint },
    input: async (world) => ({ ...(await anEndpoint.input(world)), ...subscription() }),
  },
  "webhooks.switch": {
    ...{ ...admin, ...writes, ...anEndpoint },
    input: async (world) => ({ ...(await anEndpoint.input(world)), isOn: false }),
  },
  "webhooks.rotateSecret": { ...admin, ...writes, ...anEndpoint },
  "webhooks.delete": { ...admin, ...writes, ...anEndpoint },
  "webhooks.ping": { ...admin, ...reads, ...anEndpoint },
  "webhooks.health": { ...viewer, ...reads },
  "webhooks.deliveries": {
    ...{ ...viewer, ...reads },
    input: async (world) => ({ ...(await anEndpoint.input(world)), player: await MAKERS.player(world.database, world.own) }),
    ids: { id: "endpoint", player: "player" },
  },
  "webhooks.delivery": { ...viewer, ...reads, ...aDelivery },
  "webhooks.answer": { ...viewer, ...reads, ...aDelivery, input: async (world) => ({ ...(await aDelivery.input(world)), number: 1 }) },
  "webhooks.discardHeld": { ...support, ...writes, ...anEndpointThatIsOff },
  "webhooks.discard": {
    ...{ ...support, ...writes },
    input: async ({ database, own }) => {
      const { id } = await anEndpointThatIsOff.input({ database, own } as World);
      const [row] = await database.sql<{ id: string }[]>`select id from webhook_deliveries where endpoint_id = ${id}`;
      return { id, deliveryId: row!.id };
    },
    ids: { id: "endpoint", deliveryId: "delivery" },
  },
  "webhooks.listen": {
    ...{ ...support, ...writes },
    input: () => ({ name: newKey(), session: "one", start: { events: ["mission.completed"] } }),
  },
  "webhooks.trigger": {
    ...{ ...support, ...writes },
    input: async ({ database, own }) => {
      await MAKERS.endpoint(database, own);
      return { event: "mission.completed", about: "first", forPlayer: "nobody" };
    },
  },
  "webhooks.retry": { ...support, ...writes, ...aDelivery },
  "webhooks.countFailed": {
    ...{ ...viewer, ...reads, ...anEndpoint },
    input: async (world) => ({ ...(await anEndpoint.input(world)), since: "2020-01-01T00:00:00Z" }),
  },
  "webhooks.resendFailed": {
    ...{ ...support, ...writes },
    input: async (world) => ({ id: (await aDelivery.input(world)).id, since: "2020-01-01T00:00:00Z" }),
    ids: { id: "endpoint" },
  },

  "notices.list": { ...viewer, ...reads },
  "notices.choices": { ...account, ...reads },
  "notices.choose": { ...membersOf("Viewer"), ...writes, input: () => ({ kind: "Quarantined", isOn: true }) },

  "work.moveClock": { ...editor, ...writes, input: () => ({ by: "PT1H" }) },
  "work.settleBoard": {
    ...{ ...editor, ...writes, ids: { key: "dailyBoard" } },
    input: async ({ database, own }) => {
      const key = await MAKERS.dailyBoard(database, own);
      const [period] = await database.sql<{ start: string }[]>`
        select p.start from leaderboard_periods p join definitions d on d.id = p.leaderboard_id where d.key = ${key} and p.step = 'Open'`;
      return { key, start: period!.start };
    },
  },
  "work.reset": { ...admin, ...writes, input: ({ own }) => ({ confirmation: own.slug }) },
  // Does not wait: no worker runs here.
  "work.settled": {
    ...{ ...viewer, ...reads, ids: { player: "player" } },
    input: async ({ database, own }) => ({ player: await MAKERS.player(database, own), withinMs: 0 }),
  },
  "work.quarantined": { ...viewer, ...reads },
  "work.tryQuarantined": { ...support, ...reads, input: made("seq", "quarantined"), ids: { seq: "quarantined" } },
  "work.retryQuarantined": {
    ...{ ...support, ...writes },
    input: async ({ database, own }) => ({ seqs: [await MAKERS.quarantined(database, own)] }),
    ids: { seqs: { thing: "quarantined", as: (seq) => [seq] } },
  },
  "events.reception": { ...viewer, ...reads },
  "events.tail": {
    ...{ ...viewer, ...reads, ids: { player: "player", keyId: "key" } },
    input: async ({ database, own }) => ({ player: await MAKERS.player(database, own), keyId: await MAKERS.key(database, own) }),
  },
  "events.ofPlayer": { ...viewer, ...reads, input: made("player", "player"), ids: { player: "player" } },
  "events.explain": {
    ...{ ...viewer, ...reads, ids: { player: "player", eventId: "event", requestId: "request" } },
    input: async ({ database, own }) => ({
      player: await MAKERS.player(database, own),
      eventId: await MAKERS.event(database, own),
      requestId: await MAKERS.request(database, own),
    }),
  },
  "events.unentered": { ...viewer, ...reads },

  "requestLog.list": { ...viewer, ...reads, input: made("keyId", "key"), ids: { keyId: "key" } },
  "requestLog.get": { ...viewer, ...reads, input: made("id", "request"), ids: { id: "request" } },
  "requestLog.overview": { ...viewer, ...reads },
  "requestLog.keepBodies": {
    ...{ ...admin, ...writes },
    input: () => ({ keeps: false }),
    undo: ({ database: { sql } }) => sql`update environments set keeps_bodies = null`,
  },

  "retention.read": { ...viewer, ...reads },
  "retention.save": { ...admin, ...writes, input: () => ({ eventDays: 90, requestDays: 7 }) },

  "players.search": { ...viewer, ...reads, input: () => ({ query: "p" }) },
  "players.list": { ...viewer, ...reads },
  "players.get": { ...viewer, ...aPlayer },
  "players.completions": { ...viewer, ...aPlayer },
  "players.standings": { ...viewer, ...aPlayer },
  "players.timeline": { ...viewer, ...aPlayer },
  "players.adjustPoints": {
    ...{ ...support, ...aPlayer, ...writes },
    input: async (world) => ({ ...(await aPlayer.input(world)), amount: 5, reason: "by mistake", requestId: randomUUID() }),
  },
  "players.grantMission": {
    ...{ ...support, ...aPlayer, ...writes },
    input: async (world) => ({
      ...(await aPlayer.input(world)),
      mission: await MAKERS.mission(world.database, world.own),
      reason: "by mistake",
      requestId: randomUUID(),
    }),
  },
  "players.grantObjective": {
    ...{ ...support, ...aPlayer, ...writes },
    input: async (world) => ({
      ...(await aPlayer.input(world)),
      ...(await missionWithObjective(world.database, world.own)),
      reason: "by mistake",
      requestId: randomUUID(),
    }),
  },
  "players.missedPeriods": {
    ...{ ...viewer, ...aPlayer },
    input: async (world) => ({ ...(await aPlayer.input(world)), streak: "daily" }),
  },
  "players.restoreStreak": {
    ...{ ...support, ...writes },
    input: async ({ database, own }) => ({ ...(await lostStreak(database, own)), reason: "by mistake" }),
    ids: { externalId: "player" },
  },
  "players.changeProfile": {
    ...{ ...support, ...aPlayer, ...writes },
    input: async (world) => ({ ...(await aPlayer.input(world)), displayName: newKey(), reason: "by mistake" }),
  },

  "players.hideFromBoards": {
    ...{ ...support, ...aPlayer, ...writes },
    input: async (world) => ({ ...(await aPlayer.input(world)), reason: "cheated" }),
  },
  "players.showOnBoards": {
    ...{ ...support, ...aPlayer, ...writes },
    input: async (world) => {
      const externalId = await MAKERS.player(world.database, world.own);
      await world.database.sql`update players set hidden_at = now() where external_id = ${externalId}`;
      return { externalId, reason: "proven innocent" };
    },
  },

  "privacy.beginExport": {
    ...{ ...support, ...aPlayer, ...writes },
    input: async (world) => ({ ...(await aPlayer.input(world)), reason: "they asked" }),
  },
  "privacy.exportPage": {
    ...{ ...support, ...aPlayer },
    input: async (world) => ({ ...(await aPlayer.input(world)), cursor: "profile:" }),
  },
  "privacy.erase": {
    ...{ ...admin, ...writes },
    input: async (world) => {
      const { externalId } = await aPlayer.input(world);
      return { externalId, reason: "they asked", confirmation: externalId };
    },
    ids: { externalId: "player" },
  },

  "leaderboards.periods": { ...viewer, ...aBoard },
  "leaderboards.standings": {
    ...{ ...viewer, ...aBoard },
    input: async (world) => ({ ...(await aBoard.input(world)), start: "", around: "ann" }),
  },
  "leaderboards.group": {
    ...{ ...viewer, ...aBoard },
    input: async (world) => ({ ...(await aBoard.input(world)), start: "", tier: 0, group: 0 }),
  },
  "imports.list": { ...viewer, ...reads },
  "imports.create": { ...editor, ...writes, input: () => ({ kind: "players", format: "csv", fileName: newKey() }), undo: endImports },
  "imports.addPiece": {
    ...{ ...editor, ...writes, ids: { id: "import" } },
    input: async (world) => ({ id: await MAKERS.import(world.database, world.own), number: 0, text: "playerId\nann", isLast: false }),
  },
  "imports.start": {
    ...{ ...editor, ...writes, ids: { id: "import" } },
    input: async ({ database, own }) => {
      const id = await MAKERS.import(database, own);
      await database.sql`update imports set status = 'Ready', lines = 1 where id = ${id}`;
      return { id, enters: "Nobody", notifies: false };
    },
  },
  "imports.cancel": { ...editor, ...writes, input: made("id", "import"), ids: { id: "import" } },
  "imports.refused": { ...viewer, ...reads, input: made("id", "import"), ids: { id: "import" } },

  "marketplace.sold": {
    ...{ ...viewer, ...reads },
    input: async ({ database, own }) => ({ keys: [await MAKERS.listing(database, own)] }),
    ids: { keys: { thing: "listing", as: (key) => [key] } },
  },
  "marketplace.purchases": { ...viewer, ...aPlayer },
  "marketplace.allPurchases": { ...viewer, ...reads, input: made("player", "player"), ids: { player: "player" } },
  "marketplace.reverse": {
    ...{ ...support, ...writes },
    input: async ({ database, own }) => ({ purchaseId: await MAKERS.purchase(database, own), reason: "by mistake" }),
    ids: { purchaseId: "purchase" },
  },

  "segments.counts": {
    ...{ ...viewer, ...reads },
    input: async ({ database, own }) => ({ keys: [await MAKERS.segment(database, own)] }),
    ids: { keys: { thing: "segment", as: (key) => [key] } },
  },
  "segments.members": { ...viewer, ...reads, ...aSegment },
  "segments.countAgain": { ...support, ...writes, ...aSegment },

  "simulation.run": {
    ...{ ...viewer, ...reads },
    input: async ({ database, own }) => {
      return { ...listing, player: await MAKERS.player(database, own), scenario: { kind: "History", from: null } };
    },
    ids: { player: "player" },
  },
  "simulation.membership": {
    ...{ ...viewer, ...reads },
    input: async ({ database, own }) => ({
      document: JSON.stringify({ key: "tried", name: "Tried", rule: { points: "Balance", operator: "GreaterThan", value: 1 } }),
      player: await MAKERS.player(database, own),
    }),
    ids: { player: "player" },
  },
  "simulation.standing": { ...viewer, ...aPlayer },
  "simulation.audience": { ...viewer, ...reads, input: () => listing },

  "analytics.overview": { ...viewer, ...reads },
  "analytics.players": { ...viewer, ...aRange },
  "analytics.events": { ...viewer, ...aRange },
  "analytics.missions": { ...viewer, ...aRange },
  // The key is an event's, so there is no such mission: server/insight/analytics/reports.test.ts tests an existing one.
  "analytics.mission": {
    ...{ ...viewer, ...reads, answers: 422 },
    input: async ({ database, own }) => ({ ...DAYS, key: await MAKERS.definition(database, own) }),
    ids: { key: "definition" },
  },
  "analytics.completions": { ...viewer, ...reads },
  "analytics.points": { ...viewer, ...aRange },
  "analytics.shop": { ...viewer, ...aRange },
  "analytics.rounds": { ...viewer, ...reads, input: made("key", "listing"), ids: { key: "listing" } },
  "analytics.streaks": { ...viewer, ...aRange },
  "analytics.leaderboards": { ...viewer, ...reads },
  "analytics.webhooks": { ...viewer, ...aRange },
};
