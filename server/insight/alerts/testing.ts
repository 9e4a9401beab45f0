import { expect } from "vitest";
import { type Database, onlyValue, type Sql } from "#db/client.ts";
import { until } from "#db/testing/work.ts";
import { testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { environmentNow, loadEnvironment } from "../../engine/environment.ts";
import { ingest } from "../../game/events/service.ts";
import { purchase } from "../../game/marketplace/service/shop.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import type { EnvironmentKind } from "../../model/kernel/environment.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { moveClockUpTo } from "../../operations/sandbox/move-clock.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";

/** A Monday, at noon in Amsterdam. */
export const MONDAY = Date.parse("2031-03-24T11:00:00Z");

export const DEFINITIONS = {
  version: 1,
  events: [{ key: "order", name: "Order" }],
  catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
  marketplaceItems: [{ key: "voucher", name: "Voucher", priceInPoints: 10, contents: [{ catalogItem: "coffee", value: 1 }] }],
  missions: [
    {
      key: "first_order",
      name: "First order",
      objectives: [{ event: "order", operator: "GreaterThanOrEqualTo", target: 1 }],
      rewards: [
        { kind: "Points", points: 30 },
        { kind: "CatalogItem", catalogItem: "coffee", value: 1 },
      ],
    },
  ],
};

/** Waits until this number of transactions is waiting for a lock. */
export const untilWaiting = (sql: Sql, count: number) =>
  until(async () => {
    const waiting = await onlyValue(sql<{ count: number }[]>`
      select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`);
    return waiting >= count;
  });

/** A project in Amsterdam with a mission and a listing, its Editor, and what its players do at the environment's time. */
export async function openShop<Kind extends EnvironmentKind>(database: Database, kind: Kind) {
  const { slug, [kind]: place } = await testProject(database, { timeZone: "Europe/Amsterdam" });
  expect(await importDefinitions(database, place, DEFINITIONS)).toHaveProperty("changes");
  const editor = await signedIn(database, slug, "Editor");
  const scope = { project: slug, environment: kind };
  const environment = async () => (await loadEnvironment(database.sql, place.id))!;
  const at = async (instant: number) => moveClockUpTo(database, await environment(), instant);
  const now = async () => environmentNow(database.sql, await environment());
  let players = 0;
  /** Adds this many players, each of whom completes the mission with an order. */
  const order = async (count: number) => {
    const instant = await now();
    const names = Array.from({ length: count }, () => `p${players++}`);
    for (const externalId of names)
      await readMissions(database, await environment(), instant, { externalId, take: null, includeCompleted: false, language: null });
    const items = names.map((playerId) => ({ playerId, event: "order", occurredAt: formatInstant(instant) }));
    await ingest(database, await environment(), { items, mayHoldBadText: false, now: instant });
    await drainFacts(database, place.id);
  };
  const buy = async (externalId: string) =>
    purchase(database, await environment(), await now(), { externalId, listingKey: "voucher", idempotencyKey: null });
  return { place, slug, scope, editor, environment, at, order, buy };
}
