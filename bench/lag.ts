import { setTimeout as sleep } from "node:timers/promises";
import { alternate } from "./harness/alternate.ts";
import { eventDefinition, missionsOn } from "./harness/definitions.ts";
import { BATCH, batchRequest, makeBatch, makeItem, makeRequests } from "./harness/events.ts";
import type { Figure } from "./harness/figure.ts";
import { type Connection, expectOk, withConnections } from "./harness/http.ts";
import { type Loaded, openLoaded, sustainedRate } from "./harness/loaded.ts";
import { sendBatch, untilApplied, withLoad } from "./harness/load.ts";
import { expectNothingLeft } from "./harness/recount.ts";
import { missionsRequest } from "./harness/project.ts";
import { sized } from "./harness/size.ts";
import { median, percentile, round } from "./harness/statistics.ts";

const DURATION_MS = sized({ smoke: 800, usual: 6_000 });
const ALONE = sized({ smoke: 2, usual: 20 });
/** The interval between polls of a feed; without it, polling would be a load itself. */
const LOOK_EVERY_MS = 4;

/** How long after the response to its event a completion can be read, at half of the sustained rate. */
export const lag: Figure = {
  name: "lag",
  title: "lag accepted → Completed readable, p95 to one round trip",
  better: "less",
  reach: 4,
  stretch: 2,
  async measure(context) {
    const loaded = await openLoaded(context, "lag", {
      events: [eventDefinition("signed_up")],
      missions: missionsOn("signed_up", 1, { target: 1 }),
    });
    const half = (await sustainedRate(loaded)) / 2;
    const underLoad: number[] = [];
    const lags: number[] = [];
    let probes = 0;
    const measured = await alternate(
      context,
      "ms",
      { name: "median round trip of a batch on an idle service", measure: () => roundTrip(loaded) },
      {
        name: "p95 from the answer to a batch to the completion being read",
        measure: async (turn) => {
          const probed = await probe(loaded, half, `probe-${turn}`);
          underLoad.push(median(probed.roundTrips));
          lags.push(median(probed.lags));
          probes += probed.lags.length;
          return percentile(probed.lags, 0.95);
        },
      },
    );
    const { database, project, service } = loaded;
    const [row] = await database.sql<{ completed: number }[]>`
      select count(*) as completed from mission_completions c join definitions d on d.id = c.mission_id where d.key = 'signed_up_mission_0'`;
    context.outcome.equal("missions completed, one for each batch", row!.completed, probes);
    await expectNothingLeft(context.outcome, database.sql);
    await service.stop();
    await context.outcome.audited("the environment", database, project.environment);
    measured.notes.push(
      `half load is ${round(half)} events/s; a batch then takes ${round(median(underLoad))} ms, the median lag is ${round(median(lags))} ms`,
    );
    return measured;
  },
};

/** The median round trip of batches that are sent one after the other, each after the last one was applied. */
async function roundTrip({ service, project, players, database }: Loaded): Promise<number> {
  const requests = makeRequests(project.key, ALONE, players);
  const times: number[] = [];
  await withConnections(service.port, 1, async ([connection]) => {
    for (const request of requests) {
      const started = performance.now();
      await sendBatch(connection!, request);
      times.push(performance.now() - started);
      await untilApplied(database.sql, 5);
    }
  });
  return median(times);
}

/** Sends batches at half load. The last event of each completes a mission of a new player, whose feed is then polled for the completion. */
async function probe({ service, project, players, database }: Loaded, half: number, prefix: string) {
  const count = Math.max(1, Math.floor((half * DURATION_MS) / 1000 / BATCH));
  const names = Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  const requests = names.map((name) => batchRequest(project.key, [...makeBatch(players).slice(1), makeItem(name, "signed_up")]));
  const roundTrips: number[] = [];
  const lags: number[] = [];
  await withConnections(service.port, 4, async (free) => {
    // Reading the missions enters the player before the event arrives.
    for (const name of names) expectOk(await free[0]!.request(missionsRequest(project.key, name)));
    const looking: Promise<void>[] = [];
    await withLoad(
      service.port,
      {
        requests,
        eventsPerSecond: half,
        onAccepted: (index, tookMs) => {
          roundTrips.push(tookMs);
          looking.push(untilCompleted(free, project.key, names[index]!).then((lagMs) => void lags.push(lagMs)));
        },
      },
      (over) => over,
    );
    await Promise.all(looking);
  });
  await untilApplied(database.sql);
  return { lags, roundTrips };
}

const COMPLETED = Buffer.from('"status":"Completed"');

async function untilCompleted(free: Connection[], key: string, name: string): Promise<number> {
  const request = missionsRequest(key, name, { includeCompleted: true });
  const accepted = performance.now();
  while (performance.now() - accepted < 60_000) {
    const connection = free.pop();
    if (connection !== undefined) {
      const body = expectOk(await connection.request(request));
      free.push(connection);
      if (body.includes(COMPLETED)) return performance.now() - accepted;
    }
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(`The mission of ${name} was not completed in time.`);
}
