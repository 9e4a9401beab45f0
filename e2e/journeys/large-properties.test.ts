import { expect, test } from "vitest";
import { testDatabase } from "../../db/testing.ts";
import { readTimeline, type TimelineCursor } from "../../server/game/players/service/timeline.ts";
import { LISTS } from "../../server/insight/exports/lists.ts";
import { readEventsOf } from "../../server/insight/request-log/service/read.ts";
import { exportPage, type ExportPage } from "../../server/operations/privacy/export.ts";
import { startService } from "../listening.ts";

const service = await startService(await testDatabase());
const { database } = service;
const backend = await service.sandbox({ events: [{ key: "paid", name: "Paid", properties: [{ key: "receipt", type: "String" }] }] });
const { environment } = backend;
const SENT = Array.from({ length: 7 }, (_, index) => `receipt ${index}`);

for (const name of SENT) {
  const properties = { receipt: name.padEnd(1_000_000, "=") };
  await backend.send({ event: "paid", playerId: "ann", occurredAt: new Date().toISOString(), properties });
}
await backend.applied();

/** The receipts of the pages, each of which holds three at most. */
function receiptsIn(pages: readonly string[]): string[] {
  expect(Math.max(...pages.map((page) => page.length))).toBeLessThan(3_500_000);
  return pages.flatMap((page) => page.match(/receipt \d/g) ?? []);
}

test("a player's events of a megabyte each are listed in pages of few, each once, the last received first", async () => {
  const pages: string[] = [];
  for (let below: number | null = Number.MAX_SAFE_INTEGER; below !== null;) {
    const { items, next }: Awaited<ReturnType<typeof readEventsOf>> = await readEventsOf(database, environment, "ann", below, 100);
    pages.push(JSON.stringify(items));
    below = next;
  }
  expect(receiptsIn(pages)).toEqual(SENT.toReversed());
});

test("their timeline shows them in such pages, too", async () => {
  const pages: string[] = [];
  for (let after: TimelineCursor | null | undefined; after !== null;) {
    const { entries, next }: Awaited<ReturnType<typeof readTimeline>> = await readTimeline(
      database,
      environment,
      "ann",
      [],
      after ?? null,
      50,
    );
    pages.push(JSON.stringify(entries));
    after = next;
  }
  expect(receiptsIn(pages)).toEqual(SENT.toReversed());
});

test("the player's export, and that of all events, have each of them once, in such pages, too", async () => {
  const own: string[] = [];
  for (let next: ExportPage["next"] = { section: "profile", after: "" }; next !== null;) {
    const page: ExportPage = await exportPage(database, environment, "ann", next);
    own.push(page.rows.join());
    next = page.next;
  }
  expect(receiptsIn(own).toSorted()).toEqual(SENT);
  const all: string[] = [];
  for await (const page of await LISTS["events"]!.open(database, environment, {})) all.push(page.join());
  expect(receiptsIn(all).toSorted()).toEqual(SENT);
});
