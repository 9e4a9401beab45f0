import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { type Attempt, recordAttempts } from "../../delivery/service/sending.ts";
import { createEndpoint } from "../../delivery/service/endpoints.ts";
import { testCipher } from "../../delivery/testing.ts";
import { FIRST_PAGE } from "../../model/analytics/table.ts";
import { openReport } from "./service/reports/context.ts";
import { reportWebhooks } from "./service/reports/webhooks.ts";
import { miscounted } from "../../operations/integrity/testing.ts";
import { loadEnvironment } from "../../engine/environment.ts";

const database = await testDatabase();
const { sql } = database;

test("each recorded attempt counts, with its latency, and the integrity check notices a missing one", async () => {
  const { sandbox } = await testProject(database);
  const settings = { url: "http://127.0.0.1:9/hooks", events: ["mission.completed"] };
  await createEndpoint(database, sandbox, settings, { allowPrivateAddresses: true, cipher: testCipher });
  const [endpoint] = await sql<{ id: string }[]>`select id from webhook_endpoints where environment_id = ${sandbox.id}`;
  const endpointId = endpoint!.id;
  const deliveries = Array.from({ length: 4 }, () => randomUUID());
  for (const id of deliveries)
    await sql`
      insert into webhook_deliveries (id, endpoint_id, environment_id, event, source_id, data, occurred_at)
      values (${id}, ${endpointId}, ${sandbox.id}, 'mission.completed', ${id}, '{}', now())`;
  const today = new Date().toISOString().slice(0, 10);
  const startedAt = Date.parse(`${today}T00:00:00Z`);
  const attempt = (deliveryId: string, number: number, durationMs: number, isDelivered: boolean): Attempt => ({
    ...{ deliveryId, endpointId, number, startedAt, durationMs, error: null, waitMs: 0, timedOut: false, answer: null },
    ...(isDelivered ? { responseStatus: 204, status: "Delivered" as const } : { responseStatus: 500, status: "Pending" as const }),
  });
  const failed = attempt(deliveries[0]!, 1, 100, false);
  // Two attempts with one number: the lease expired, and both processes made one.
  await recordAttempts(database, [failed, failed, attempt(deliveries[1]!, 1, 100, true)]);
  await recordAttempts(database, [failed]);
  await recordAttempts(database, [attempt(deliveries[0]!, 2, 3_000, true)]);
  // Two attempts with one number again, but the second one succeeded; it comes together with an attempt that is recorded for the first
  // time.
  await recordAttempts(database, [attempt(deliveries[2]!, 1, 100, false)]);
  await recordAttempts(database, [attempt(deliveries[2]!, 1, 100, true), attempt(deliveries[3]!, 1, 100, true)]);

  const environment = (await loadEnvironment(sql, sandbox.id))!;
  // The Sandbox's clock may be ahead: attempts happen in real time.
  const report = await reportWebhooks(await openReport(database.sql, environment, Date.now() + 40 * 86_400_000), {
    ...{ from: today, to: today, by: "Day" as const, table: FIRST_PAGE },
  });
  const figure = (value: number) => ({ value, before: 0 });
  expect(report).toMatchObject({
    frame: { today },
    countedSince: today,
    attempts: { values: [5], before: [0] },
    failed: { values: [2] },
    totals: { attempts: figure(5), delivered: figure(3) },
    table: { rows: [{ id: endpointId, attempts: figure(5), delivered: figure(3), failed: figure(2), retries: figure(1) }] },
  });
  expect(report.table.rows[0]!.p50).toBeGreaterThan(91);
  expect(report.table.rows[0]!.p50).toBeLessThan(128);
  expect(report.table.rows[0]!.p95).toBeGreaterThan(2896);
  expect(await miscounted(database, environment)).toEqual([]);
  await sql`update analytics_webhooks set attempts = attempts - 1 where environment_id = ${sandbox.id}`;
  expect(await miscounted(database, environment)).toEqual([expect.stringMatching(/4\/3\/1 kept, but the deliveries have 5\/3\/1$/)]);
});
