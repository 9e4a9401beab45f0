import { randomUUID } from "node:crypto";
import { testCipher } from "../../delivery/testing.ts";
import { begun } from "../rpc/privacy.ts";
import { lostStreak, MAKERS, missionWithObjective, type World } from "./access-world.ts";
import {
  type AccessLine,
  made,
  reads,
  writes,
  viewer,
  support,
  editor,
  admin,
  adminOfBoth,
  account,
  anEvent,
  membersOf,
  newKey,
  plus,
  listing,
  aPlayer,
  anEndpoint,
  anEndpointThatIsOff,
  aDelivery,
  aSegment,
  aBoard,
  DAYS,
  aRange,
  subscription,
  endImports,
} from "./access-inputs.ts";

const anAlert = async (world: World) => ({
  ...{ figure: "Events", comparison: "Below", basis: "Bound", threshold: 1, hours: 3 },
  ...(await anEvent.input(world)),
});

/** What concerns players, deliveries and work: the second half of the table. */
export const PLAYER_LINES = {
  "webhooks.list": { ...viewer, ...reads },
  "webhooks.create": { ...admin, ...writes, input: subscription },
  "webhooks.edit": { ...admin, ...writes, ...plus(anEndpoint, () => ({ ...subscription() })) },
  "webhooks.switch": { ...admin, ...writes, ...plus(anEndpoint, () => ({ isOn: false })) },
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
  "webhooks.countFailed": { ...viewer, ...reads, ...plus(anEndpoint, () => ({ since: "2020-01-01T00:00:00Z" })) },
  "webhooks.resendFailed": {
    ...{ ...support, ...writes },
    input: async (world) => ({ id: (await aDelivery.input(world)).id, since: "2020-01-01T00:00:00Z" }),
    ids: { id: "endpoint" },
  },

  "notices.list": { ...viewer, ...reads },
  "notices.choices": { ...account, ...reads },
  "notices.choose": { ...membersOf("Viewer"), ...writes, input: () => ({ kind: "Quarantined", isOn: true }) },

  "channels.list": { ...adminOfBoth, ...reads },
  "channels.create": {
    ...{ ...adminOfBoth, ...writes },
    // Creating a channel with `MAKERS` deletes old ones, which keeps their number below the bound.
    input: async ({ database, own }) => {
      await MAKERS.channel(database, own);
      return { type: "Signed", name: newKey(), url: "https://receiver.example.com/", kinds: ["Quarantined"] };
    },
  },
  "channels.edit": {
    ...{ ...adminOfBoth, ...writes, ids: { id: "channel" } },
    input: async (world) => ({ ...(await made("id", "channel")(world)), name: newKey(), kinds: ["EndpointSwitchedOff"] }),
  },
  "channels.switch": {
    ...{ ...adminOfBoth, ...writes, ids: { id: "channel" } },
    input: async (world) => ({ ...(await made("id", "channel")(world)), isOn: false }),
  },
  "channels.delete": { ...adminOfBoth, ...writes, input: made("id", "channel"), ids: { id: "channel" } },
  // Posts to the receiver, and changes nothing in the database.
  "channels.test": { ...adminOfBoth, ...reads, input: made("id", "channel"), ids: { id: "channel" } },

  "alerts.list": { ...viewer, ...reads },
  "alerts.save": {
    ...{ ...editor, ...writes, ids: { id: "alert", key: "definition" } },
    input: async (world) => ({ ...(await anAlert(world)), ...(await made("id", "alert")(world)), name: newKey() }),
  },
  "alerts.switch": {
    ...{ ...editor, ...writes, ids: { id: "alert" } },
    input: async (world) => ({ ...(await made("id", "alert")(world)), isOn: false }),
  },
  "alerts.delete": { ...editor, ...writes, input: made("id", "alert"), ids: { id: "alert" } },
  "alerts.preview": { ...viewer, ...reads, input: anAlert, ids: { key: "definition" } },

  "budgets.list": { ...viewer, ...reads },
  "budgets.save": {
    ...{ ...editor, ...writes, ids: { id: "budget", key: "mission" } },
    input: async (world) => ({
      ...{ kind: "missions", measure: "Points", period: "Week", amount: 100, switchesOff: false },
      ...{ ...(await made("id", "budget")(world)), ...(await made("key", "mission")(world)) },
    }),
  },
  "budgets.delete": { ...editor, ...writes, input: made("id", "budget"), ids: { id: "budget" } },

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
  "events.recentValues": {
    ...{ ...viewer, ...reads, ids: { key: "definition" } },
    input: async ({ database, own }) => ({ kind: "events", key: await MAKERS.definition(database, own) }),
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
  "retention.save": { ...admin, ...writes, input: () => ({ eventDays: 90, requestDays: 7, mayDelete: true }) },

  "players.search": { ...viewer, ...reads, input: () => ({ query: "p" }) },
  "players.list": { ...viewer, ...reads },
  "players.get": { ...viewer, ...aPlayer },
  "players.completions": { ...viewer, ...aPlayer },
  "players.standings": { ...viewer, ...aPlayer },
  "players.timeline": { ...viewer, ...aPlayer },
  "players.adjustPoints": { ...support, ...plus(aPlayer, () => ({ amount: 5, reason: "by mistake", requestId: randomUUID() })), ...writes },
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
  "players.missedPeriods": { ...viewer, ...plus(aPlayer, () => ({ streak: "daily" })) },
  "players.restoreStreak": {
    ...{ ...support, ...writes },
    input: async ({ database, own }) => ({ ...(await lostStreak(database, own)), reason: "by mistake" }),
    ids: { externalId: "player" },
  },
  "players.changeProfile": { ...support, ...plus(aPlayer, () => ({ displayName: newKey(), reason: "by mistake" })), ...writes },

  "players.writeNote": { ...support, ...plus(aPlayer, () => ({ note: "Called on Monday." })), ...writes },
  "players.hideFromBoards": { ...support, ...plus(aPlayer, () => ({ reason: "cheated" })), ...writes },
  "players.showOnBoards": {
    ...{ ...support, ...aPlayer, ...writes },
    input: async (world) => {
      const externalId = await MAKERS.player(world.database, world.own);
      await world.database.sql`update players set hidden_at = now() where external_id = ${externalId}`;
      return { externalId, reason: "proven innocent" };
    },
  },

  "privacy.beginExport": { ...support, ...plus(aPlayer, () => ({ reason: "they asked" })), ...writes },
  "privacy.exportPage": {
    ...{ ...support, ...aPlayer },
    input: async (world) => {
      const externalId = await MAKERS.player(world.database, world.own);
      return { externalId, cursor: `${begun(testCipher, world.own.environment, externalId)} profile:` };
    },
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
  "leaderboards.standings": { ...viewer, ...plus(aBoard, () => ({ start: "", around: "ann" })) },
  "leaderboards.group": { ...viewer, ...plus(aBoard, () => ({ start: "", tier: 0, group: 0 })) },
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
      return { ...listing, player: await MAKERS.player(database, own), scenario: { kind: "History", from: null }, asScenario: true };
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
  "backtests.start": {
    ...{ ...editor, ...writes },
    input: async ({ database, own }) => {
      const objective = { event: await MAKERS.definition(database, own), operator: "GreaterThanOrEqualTo", target: 1 };
      const draft = { key: newKey(), name: "Tried", objectives: [objective], rewards: [{ kind: "Points", points: 1 }] };
      return { kind: "missions", document: JSON.stringify(draft) };
    },
    // An environment runs one backtest at a time.
    undo: ({ database: { sql } }) => sql`update backtests set status = 'Cancelled' where status = 'Waiting'`,
  },
  "backtests.list": {
    ...{ ...viewer, ...reads },
    input: async ({ database, own }) => ({ kind: "missions", key: await MAKERS.definition(database, own) }),
    ids: { key: "definition" },
  },
  "backtests.get": { ...viewer, ...reads, input: made("id", "backtest"), ids: { id: "backtest" } },
  // Cancelling a finished backtest changes nothing.
  "backtests.cancel": { ...editor, ...reads, input: made("id", "backtest"), ids: { id: "backtest" } },
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
  "analytics.completions": {
    ...{ ...viewer, ...reads },
    input: async ({ database, own }) => ({ keys: [await MAKERS.definition(database, own)] }),
    ids: { keys: { thing: "definition", as: (key) => [key] } },
  },
  // As above: an event's key, which is no mission's.
  "analytics.effect": {
    ...{ ...viewer, ...reads, answers: 422 },
    input: async ({ database, own }) => ({
      kind: "missions",
      key: await MAKERS.definition(database, own),
      event: await MAKERS.definition(database, own),
    }),
    ids: { key: "definition", event: "definition" },
  },
  "analytics.stale": { ...viewer, ...reads },
  "analytics.points": { ...viewer, ...aRange },
  "analytics.shop": { ...viewer, ...aRange },
  "analytics.rounds": { ...viewer, ...reads, input: made("key", "listing"), ids: { key: "listing" } },
  "analytics.streaks": { ...viewer, ...aRange },
  "analytics.leaderboards": { ...viewer, ...reads },
  "analytics.webhooks": { ...viewer, ...aRange },
} satisfies Record<string, AccessLine>;
