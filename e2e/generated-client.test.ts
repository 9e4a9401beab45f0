import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@hey-api/openapi-ts";
import { afterAll, expect, test } from "vitest";
import { PROGRAM, REFUSAL } from "../web/docs/guides/samples.ts";
import { mission, points, shop } from "./definitions.ts";
import { startService } from "./listening.ts";

const run = promisify(execFile);
const service = await startService();
const folder = await mkdtemp(join(tmpdir(), "generated-client-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A customer's program. It is compiled as strictly as this service, so its types are checked as well. */
const CUSTOMER = `
import { createClient, createConfig } from "./client/client/index.js";
import * as api from "./client/index.js";

const [, , baseUrl = "", key = ""] = process.argv;
const client = createClient(createConfig({ baseUrl, auth: () => key }));
const playerId = "customer/1042 & co";

function taken<Data>({ data, error }: { data?: Data; error?: { code: string } }): Data {
  if (data === undefined) throw new Error(error?.code);
  return data;
}

const player = taken(await api.savePlayer({ client, body: { playerId, displayName: "Ann", timeZoneId: null } }));
const offered = taken(await api.readMissions({ client, body: { playerId, take: 10, languageCode: "nl-BE" } }));
const accepted = await api.acceptMission({ client, path: { missionKey: "coffee_lover" }, body: { playerId } });
const written = taken(
  await api.writeAttributes({ client, body: { playerId, attributes: { tier: { value: "gold", occurredAt: "2026-01-31T09:00:00Z" }, age: 42 } } }),
);
const { attributes } = taken(await api.readAttributes({ client, query: { PlayerId: playerId } }));
const event = { playerId, event: "order_placed", occurredAt: new Date().toISOString(), properties: { amount: 12.5, takeaway: true } };
const sent = taken(await api.sendEvents({ client, body: { events: [event, { ...event, event: "order_plaecd" }] } }));
const spent = taken(
  await api.sendMetricEvent({
    client,
    body: { externalPlayerId: playerId, metricKey: "spend", value: 10, currencyCode: "USD", occurredAtUtc: new Date().toISOString() },
  }),
);
const tier = taken(
  await api.sendAttributeEvent({
    client,
    body: { externalPlayerId: playerId, attributeKey: "tier", value: "gold", occurredAtUtc: new Date().toISOString() },
  }),
);
const [streak] = taken(await api.readStreaks({ client, query: { PlayerId: playerId } }));
const collection = taken(await api.readMissionCollection({ client, path: { collectionKey: "first_steps" }, body: { playerId } }));
const adjusted = taken(await api.adjustPoints({ client, body: { playerId, amount: 50, reason: "A spilled cappuccino" } }));
const balance = taken(await api.getPoints({ client, query: { PlayerId: playerId } }));
const [transaction] = taken(await api.listPointsTransactions({ client, query: { PlayerId: playerId, Take: 1 } }));

const refused = await api.adjustPoints({ client, body: { playerId, amount: -1_000, reason: "Too much" } });
if (refused.error === undefined) throw new Error("It was taken.");
switch (refused.error.code) {
  case "points.insufficient_balance":
    break;
  // @ts-expect-error a code that this call does not have
  case "mission.offer_closed":
    throw new Error("Not offered.");
}
// @ts-expect-error a body without a required member
const missing = await api.adjustPoints({ client, body: { playerId } });
const unknown = await api.getPoints({ client: createClient(createConfig({ baseUrl })), query: { PlayerId: playerId } });

/** The reading of a mission's first objective: a tagged value is narrowed by its type. */
function readingOf(row: api.Mission | undefined): string {
  const actual = row?.objectives[0]?.progress.actual ?? null;
  if (actual?.type === "number") return actual.value.toFixed(1);
  return actual?.type === "collection" ? actual.items.map(({ type }) => type).join() : "none";
}

console.log(
  JSON.stringify({
    name: player.displayName,
    offered: offered.map(({ missionKey, status }) => [missionKey, status]),
    accepted: accepted.response?.status,
    written: written.results,
    attributes,
    sent: sent.results.map((one) => one.accepted || one.errors[0]?.code),
    spent: [spent.currencyCode, spent.normalizedValue, spent.total],
    tier: tier.result,
    streak: [streak?.cadence, streak?.currentLength, streak?.endsAtUtc],
    collection: collection.missions.map((row) => [row.status, readingOf(row)]),
    adjusted: adjusted.balance,
    balance: balance.balance,
    transaction: transaction?.type,
    refused: [refused.error.status, refused.error.code],
    missing: missing.error?.errors.map((one) => [one.code, one.pointer]),
    unknown: unknown.error?.code,
  }),
);
`;

/** The code around the part of a program that the guide shows. */
const BEFORE_REFUSAL = `
import { createClient, createConfig } from "./client/client/index.js";
import { purchaseMarketplaceItem } from "./client/index.js";
const client = createClient(createConfig());`;

/** The options of this service's own compiler, to emit. */
const COMPILER = {
  extends: resolve("tsconfig.json"),
  compilerOptions: {
    noEmit: false,
    incremental: false,
    allowImportingTsExtensions: false,
    outDir: "compiled",
    typeRoots: [resolve("node_modules/@types")],
  },
  include: ["**/*.ts"],
};

test("a client generated from the reference compiles strictly and works against the running service", async () => {
  const backend = await service.sandbox({
    ...shop(mission("coffee_lover", { optIn: "Manual", rewards: [points(200)] }), mission("one", { rewards: [points(1)] })),
    attributes: [
      { key: "tier", name: "Tier", type: "String" },
      { key: "age", name: "Age", type: "Number" },
    ],
    baseCurrency: "EUR",
    exchangeRates: [{ currencyCode: "USD", rate: 0.92 }],
    metrics: [{ key: "spend", name: "Spend", kind: "Currency" }],
    streaks: [{ key: "weekly", name: "Weekly", metric: "spend", cadence: "Week" }],
    missionCollections: [{ key: "first_steps", name: "First steps", missions: ["coffee_lover"] }],
  });
  await service.pause();
  const address = `http://127.0.0.1:${service.port}`;
  await createClient({
    input: `${address}/v1/openapi.json`,
    output: { path: join(folder, "client"), module: { extension: ".js" } },
    logs: { level: "silent" },
  });
  await writeFile(join(folder, "customer.ts"), CUSTOMER);
  await writeFile(join(folder, "guide.ts"), PROGRAM.replaceAll("./engagement/", "./client/"));
  await writeFile(join(folder, "refusals.ts"), `${BEFORE_REFUSAL}\n${REFUSAL}`);
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(COMPILER));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await run(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", folder]).catch(({ stdout }) => expect(stdout).toBe(""));
  const { stdout } = await run(process.execPath, [join(folder, "compiled/customer.js"), address, backend.key]);
  expect(JSON.parse(stdout)).toEqual({
    name: "Ann",
    offered: [
      ["coffee_lover", "Available"],
      ["one", "InProgress"],
    ],
    accepted: 204,
    written: { tier: "Changed", age: "Changed" },
    attributes: { tier: "gold", age: 42 },
    sent: [true, "event.not_found"],
    spent: ["USD", 9.2, 9.2],
    tier: "Unchanged",
    // The worker is paused: the player's earlier events must still be applied before an attribute is written.
    streak: ["Week", 1, expect.any(String)],
    collection: [],
    adjusted: 251,
    balance: 251,
    transaction: "Adjustment",
    refused: [409, "points.insufficient_balance"],
    missing: [
      ["points_adjustment.amount_invalid", "#/amount"],
      ["points_adjustment.reason_missing", "#/reason"],
    ],
    unknown: "auth.api_key_invalid",
  });
  const env = { ...process.env, ENGAGEMENT_URL: address, KEY: backend.key };
  expect(await run(process.execPath, [join(folder, "compiled/guide.js")], { env })).toEqual({ stdout: "0\n", stderr: "" });
  service.resume();
  await backend.applied();
});
