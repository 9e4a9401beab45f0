import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sharedDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { writeAttributes } from "../attributes/service.ts";
import { ingest } from "../events/service.ts";
import { purchase } from "../marketplace/service/shop.ts";
import { takeMetricEvent } from "../metrics/service.ts";
import { readMissions } from "../missions/service/read.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import type { TimelineEntry } from "./service/timeline-sources.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";

const database = await sharedDatabase();

const FILE = {
  version: 1,
  events: [{ key: "order_placed", name: "Order placed" }],
  metrics: [{ key: "steps", name: "Steps", kind: "Number" }],
  attributes: [{ key: "tier", name: "Tier", type: "String" }],
  catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
  missions: [
    {
      ...{ key: "first", name: "First order", objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 1 }] },
      rewards: [{ kind: "Points", points: 50 }],
    },
  ],
  marketplaceItems: [{ key: "voucher", name: "Voucher", priceInPoints: 20, contents: [{ catalogItem: "coffee", value: 1 }] }],
};

async function withAnn() {
  const project = await testProject(database);
  await importDefinitions(database, project.sandbox, FILE);
  const sandbox = await findEnvironment(database, project.slug, "sandbox");
  const { rpc } = await signedIn(database, project.slug, "Editor");
  const ann = { project: project.slug, environment: "sandbox" as const, externalId: "ann" };
  await writeAttributes(database, sandbox, { playerId: "ann", attributes: { tier: "gold" } }, []);
  await readMissions(database, sandbox, Date.now(), { externalId: "ann", includeCompleted: false, language: null, take: null });
  // All of a batch are received at one instant.
  const items = Array.from({ length: 12 }, () => ({ playerId: "ann", event: "order_placed", occurredAt: new Date().toISOString() }));
  await ingest(database, sandbox, { items, mayHoldBadText: false, now: Date.now() });
  const walk = { metricKey: "steps", value: 7, currencyCode: null, exchangeRate: null, properties: {}, idempotencyKey: null };
  await takeMetricEvent(database, sandbox, Date.now(), { ...walk, externalId: "ann", occurredAt: Date.now(), timeZone: null });
  await drainFacts(database, sandbox.id);
  await purchase(database, sandbox, Date.now(), { externalId: "ann", listingKey: "voucher", idempotencyKey: null });
  await rpc.players.adjustPoints({ ...ann, amount: 5, reason: "Sorry", requestId: randomUUID() });
  return { rpc, ann };
}

test("the timeline has everything once, newest first, for any page size", async () => {
  const { rpc, ann } = await withAnn();
  const all = (await rpc.players.timeline({ ...ann, limit: 100 })).entries;
  const counts = Object.fromEntries([...Map.groupBy(all, ({ type }) => type)].map(([type, of]) => [type, of.length]));
  expect(counts).toEqual({ Staff: 1, Points: 3, Item: 1, Completion: 1, Purchase: 1, Attribute: 1, Metric: 1, Event: 12 });
  expect(all.map(({ at }) => at)).toEqual(
    all
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );
  for (const limit of [1, 4, 7]) {
    const paged: TimelineEntry[] = [];
    for (let cursor: string | null | undefined = null; cursor !== undefined;) {
      const page: { entries: TimelineEntry[]; next: string | null } = await rpc.players.timeline({ ...ann, limit, cursor });
      paged.push(...page.entries);
      cursor = page.next ?? undefined;
    }
    expect(paged, `pages of ${limit}`).toEqual(all);
  }
  const points = await rpc.players.timeline({ ...ann, groups: ["Points"] });
  expect(points.entries.map(({ points: amount, of, reason }) => [amount, of?.name ?? null, reason])).toEqual([
    [5, null, "Sorry"],
    [-20, "Voucher", null],
    [50, "First order", null],
  ]);
  await expect(rpc.players.timeline({ ...ann, cursor: "1 Item 7" })).rejects.toThrow("Not a valid cursor");
});
