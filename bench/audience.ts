import type { Database } from "../db/client.ts";
import { playerKey } from "../server/model/players/identity.ts";
import { alternate } from "./harness/alternate.ts";
import { eventDefinition } from "./harness/definitions.ts";
import { BATCH, batchRequest, makeItem, playerName } from "./harness/events.ts";
import type { Context, Figure } from "./harness/figure.ts";
import { type Answer, expectOk, withConnections } from "./harness/http.ts";
import { readFor, sendAndApply } from "./harness/load.ts";
import { type Server, startService } from "./harness/process.ts";
import { makeProject, missionsRequest, type Project } from "./harness/project.ts";
import { sized } from "./harness/size.ts";
import { percentile, round } from "./harness/statistics.ts";
import { importDefinitions } from "../server/authoring/definitions/service/import.ts";

const MANY = sized({ smoke: 2_000, usual: 100_000 });
const FEW = 100;
const DURATION_MS = sized({ smoke: 300, usual: 5_000 });
const DAY = 86_400_000;
const HISTORY_MS = 730 * DAY;

/** The condition inputs of the audiences: each measure over all of the history and over the last days, with and without a filter. */
const INPUTS = [
  { measure: { kind: "Count" } },
  { measure: { kind: "Count" }, lastDays: 30 },
  { measure: { kind: "Count" }, where: { property: "amount", operator: "GreaterThan", value: 10 }, lastDays: 365 },
  { measure: { kind: "Sum", property: "amount" }, where: { property: "drink", operator: "In", value: ["espresso", "flat white"] } },
  { measure: { kind: "Sum", property: "amount" }, lastDays: 90 },
  { measure: { kind: "DistinctCount", property: "drink" } },
  { measure: { kind: "DistinctCount", property: "shop" } },
  { measure: { kind: "DistinctCount", property: "drink" }, lastDays: 30 },
  { measure: { kind: "DistinctDays" } },
  { measure: { kind: "DistinctDays" }, where: { property: "takeaway", operator: "EqualTo", value: true }, lastDays: 365 },
];
/** Unreachable, so that each read has to evaluate each audience. */
const UNREACHED = 1_000_000_000;

/** Whether a read costs more for a player with a long history. */
export const audience: Figure = {
  name: "audience",
  title: `audiences over history, ${MANY} events to ${FEW}, p95`,
  better: "less",
  reach: 1.2,
  stretch: 1.05,
  async measure(context) {
    const { service, sides, database, project } = await openSides(context);
    // The sides alternate request by request: requests are short, so other load on the machine affects both alike.
    const requests = sides.map(({ request }) => request);
    let times: number[] = [];
    const read = async () => void ({ times } = await readFor(service.port, requests, 1, DURATION_MS));
    const probe = (side: 0 | 1) => ({
      name: `POST /v1/missions, ${INPUTS.length} audiences over ${sides[side]!.events} events`,
      measure: async () => p95Of(times, side),
    });
    const measured = await alternate(context, "ms p95", { ...probe(0), prepare: read }, probe(1));
    await expectJudged(context, { service, database, project, name: sides[1]!.name });
    for (const { events, firstMs } of sides)
      measured.notes.push(`the first read of ${events} events, which makes their rollups, took ${round(firstMs)} ms`);
    return measured;
  },
};

/** The 95th percentile of every second round trip. */
const p95Of = (times: readonly number[], side: 0 | 1): number =>
  percentile(
    times.filter((_, index) => index % 2 === side),
    0.95,
  );

/** A player with few events and one with many, over the same two years; every mission is locked for both. */
async function openSides(context: Context) {
  const database = await context.server.create("bench_audience");
  context.atEnd(database.close);
  const project = await makeProject(database, "audience", {
    events: [eventDefinition("order_placed")],
    missions: INPUTS.map((input, index) => ({
      ...mission(`mission_${index}`),
      audience: { rule: { event: "order_placed", ...input, operator: "GreaterThan", value: UNREACHED } },
    })),
  });
  const service = await startService(context, database.url);
  const players = [FEW, MANY].map((events, index) => ({ events, name: playerName(index) }));
  for (const { name, events } of players) await sendAndApply(service.port, database.sql, historyOf(project.key, name, events));
  const sides: { name: string; events: number; request: Buffer; firstMs: number }[] = [];
  for (const { name, events } of players) {
    const request = missionsRequest(project.key, name);
    sides.push({ name, events, request, firstMs: await readLocked(service, request) });
  }
  await database.sql`vacuum (analyze)`;
  return { service, sides, database, project };
}

/** SQL that counts in the log what some of the inputs measure over all of the history. */
const RECOUNTS = [
  { input: INPUTS[0]!, sql: "count(*)" },
  {
    input: INPUTS[3]!,
    sql: "coalesce(sum((properties ->> 'amount')::numeric) filter (where properties ->> 'drink' in ('espresso', 'flat white')), 0)",
  },
  { input: INPUTS[5]!, sql: "count(distinct properties ->> 'drink')" },
  { input: INPUTS[6]!, sql: "count(distinct properties ->> 'shop')" },
  { input: INPUTS[8]!, sql: "count(distinct (occurred_at at time zone 'Europe/Amsterdam')::date)" },
];

interface Judged {
  service: Server;
  database: Database;
  project: Project;
  name: string;
}

/** Checks each recounted value by two missions: the player is in the audience "at least that value", and not in "more than that value". */
async function expectJudged({ outcome }: Context, { service, database, project, name }: Judged): Promise<void> {
  const { part, playerId } = playerKey(project.environment.id, name);
  const missions: object[] = [];
  for (const [index, { input, sql }] of RECOUNTS.entries()) {
    const [row] = await database.sql.unsafe<{ value: string }[]>(
      `select (${sql})::text as value from events where part = $1 and player_id = $2`,
      [part, playerId],
    );
    const value = Number(row!.value);
    for (const [operator, key] of [
      ["GreaterThanOrEqualTo", `in_${index}`],
      ["GreaterThan", `out_${index}`],
    ] as const)
      missions.push({ ...mission(key), audience: { rule: { event: "order_placed", ...input, operator, value } } });
  }
  const imported = await importDefinitions(database, project.environment, { version: 1, events: [], missions });
  if ("problems" in imported) throw new Error(`The missions are refused: ${JSON.stringify(imported.problems.slice(0, 3))}`);
  const rows = await readMissions(service, missionsRequest(project.key, name));
  const open = rows.filter(({ status }) => status !== "Locked").map(({ missionKey }) => missionKey);
  outcome.equal(
    "missions open to the player, by a recount of the log",
    open.sort(),
    RECOUNTS.map((_, index) => `in_${index}`),
  );
}

const mission = (key: string) => ({
  key,
  name: key,
  objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 5 }],
  rewards: [{ kind: "Points", points: 10 }],
});

/** Events of one player, spread evenly over the last two years, as batches to send. */
function historyOf(key: string, playerId: string, count: number): Buffer[] {
  const now = Date.now();
  const items = Array.from({ length: count }, (_, index) => {
    const occurredAt = new Date(now - HISTORY_MS * (1 - (index + 1) / count)).toISOString();
    return { ...makeItem(playerId), occurredAt };
  });
  return Array.from({ length: Math.ceil(count / BATCH) }, (_, batch) => batchRequest(key, items.slice(batch * BATCH, (batch + 1) * BATCH)));
}

const rowsOf = (answer: Answer) => JSON.parse(expectOk(answer).toString()) as { missionKey: string; status: string }[];

const readMissions = ({ port }: Server, request: Buffer) =>
  withConnections(port, 1, async ([connection]) => rowsOf(await connection!.request(request)));

/** Reads missions that must all be locked; returns the duration. */
const readLocked = ({ port }: Server, request: Buffer): Promise<number> =>
  withConnections(port, 1, async ([connection]) => {
    const started = performance.now();
    const rows = rowsOf(await connection!.request(request));
    const tookMs = performance.now() - started;
    const locked = rows.filter(({ status }) => status === "Locked").length;
    if (locked !== INPUTS.length) throw new Error(`${locked} missions are locked instead of ${INPUTS.length}.`);
    return tookMs;
  });
