import { expect, test } from "vitest";
import { sharedDatabase, testProject } from "#db/testing.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { moveClockUpTo } from "../../operations/sandbox/move-clock.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { type Environment, COMMAND_LINE } from "../../model/kernel/environment.ts";
import { reportAttribute } from "../attributes/service.ts";
import { ingest } from "../events/service.ts";
import { takeMetricEvent } from "../metrics/service.ts";
import { changeProfile } from "../players/service/by-hand.ts";
import { savePlayer, savePlayerAsRead } from "../players/service/players.ts";
import { readMissions } from "./service/read.ts";

const database = await sharedDatabase();

const EVENTS = ["order_placed", "friend_invited"].map((key) => ({ key, name: key }));
const SENT = {
  externalId: "ann",
  metricKey: "cups",
  value: 1,
  currencyCode: null,
  exchangeRate: null,
  idempotencyKey: null,
  properties: {},
};
const DAILY = {
  ...{ key: "daily", name: "Daily", recurrence: { kind: "Calendar", every: "Day" } },
  // Occurrences are numbered from the day on which it starts: the same one in all zones of these tests.
  window: { startsAt: "2031-05-01T06:00:00Z" },
  objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 5 }],
  rewards: [{ kind: "Points", points: 50 }],
};

/** A Sandbox with a daily mission. */
async function sandboxWith(mission: object, more: object = {}) {
  const project = await testProject(database);
  const file = { version: 1, events: EVENTS, missions: [{ ...DAILY, ...mission }], ...more };
  expect(await importDefinitions(database, project.sandbox, file)).not.toHaveProperty("problems");
  const current = () => findEnvironment(database, project.slug, "sandbox");
  return {
    current,
    moveTo: async (instant: string) => moveClockUpTo(database, await current(), Date.parse(instant)),
    send: async (event: string, instant: string) => {
      const items = [{ playerId: "ann", event, occurredAt: instant }];
      await ingest(database, await current(), { items, mayHoldBadText: false, now: Date.parse(instant) });
    },
    missionsAt: async (instant: string, includeCompleted = false) => {
      await moveClockUpTo(database, await current(), Date.parse(instant));
      return readMissions(database, await current(), Date.parse(instant), {
        externalId: "ann",
        take: null,
        includeCompleted,
        language: null,
      });
    },
  };
}

test("an audience is judged at the receipt of the event that opens the period, also if earlier ones are applied with it", async () => {
  const rule = { event: "friend_invited", operator: "GreaterThanOrEqualTo", value: 1, lastDays: 1 };
  const { send, missionsAt } = await sandboxWith({ audience: { rule } });
  const statusAt = async (instant: string) => (await missionsAt(instant)).map(({ status }) => status);
  await send("friend_invited", "2031-05-11T12:00:00Z");
  expect(await statusAt("2031-05-11T13:00:00Z")).toEqual(["InProgress"]);

  // On the 12th Ann has invited no friend within the last day, so she is outside the audience.
  await send("order_placed", "2031-05-11T23:59:00Z");
  await send("order_placed", "2031-05-12T00:01:00Z");
  expect(await statusAt("2031-05-12T00:02:00Z")).toEqual(["Locked"]);
});

const NOON = "2031-05-11T12:30:00Z";
/** There it is the 12th. */
const AUCKLAND = "Pacific/Auckland";

test.each<[string, (environment: Environment) => Promise<unknown>]>([
  ["the player is saved", (sandbox) => savePlayer(database, sandbox, Date.parse(NOON), "ann", { timeZone: AUCKLAND })],
  ["an import does it", (sandbox) => savePlayerAsRead(database, sandbox, Date.parse(NOON), "ann", { timeZone: AUCKLAND })],
  [
    "it is done by hand",
    (sandbox) => changeProfile(database, sandbox, { externalId: "ann", reason: "She moved", timeZone: AUCKLAND }, COMMAND_LINE),
  ],
  [
    "a metric event has it",
    (sandbox) => takeMetricEvent(database, sandbox, Date.parse(NOON), { ...SENT, occurredAt: Date.parse(NOON), timeZone: AUCKLAND }),
  ],
])("an event received before the zone changed counts for the day in the zone before: %s", async (_, change) => {
  const { current, moveTo, send, missionsAt } = await sandboxWith({}, { metrics: [{ key: "cups", name: "Cups", kind: "Number" }] });
  const [before] = await missionsAt("2031-05-11T10:00:00Z");
  await moveTo(NOON);
  await send("order_placed", NOON);
  await change(await current());
  const today = await missionsAt("2031-05-11T12:31:00Z");
  expect(today.map(({ objectives, occurrenceNumber }) => [occurrenceNumber, objectives[0]!.progress.actual])).toEqual([
    [before!.occurrenceNumber + 1, { type: "number", value: 0 }],
  ]);
});

test("a reported attribute counts for the day in the zone that comes with it", async () => {
  const criterion = { attribute: "checked_in", operator: "EqualTo", target: true };
  const { current, missionsAt } = await sandboxWith(
    { objectives: [criterion] },
    { attributes: [{ key: "checked_in", name: "Checked in", type: "Boolean" }] },
  );
  const [before] = await missionsAt("2031-05-10T10:00:00Z");
  await moveClockUpTo(database, await current(), Date.parse(NOON));
  const report = { externalId: "ann", attributeKey: "checked_in", value: true, occurredAt: Date.parse(NOON), timeZone: AUCKLAND };
  await reportAttribute(database, await current(), Date.parse(NOON), report);
  const completed = (await missionsAt("2031-05-11T12:31:00Z", true)).filter(({ status }) => status === "Completed");
  expect(completed.map(({ occurrenceNumber }) => occurrenceNumber)).toEqual([before!.occurrenceNumber + 2]);
});
