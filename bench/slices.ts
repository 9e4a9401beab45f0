import type { Database } from "../db/client.ts";
import { ingest } from "../server/game/events/service.ts";
import { DEFAULT_LANES, type Lane, lanesOf } from "../server/model/kernel/lanes.ts";
import { workSlice } from "../server/operations/worker/slice.ts";
import { alternate, HERE, turnsOf } from "./harness/alternate.ts";
import { BATCH, type Item, makeBatches } from "./harness/events.ts";
import type { Context, Figure } from "./harness/figure.ts";
import { openLoaded } from "./harness/loaded.ts";
import { eventsIn, expectCompletions, expectNothingLeft } from "./harness/recount.ts";
import type { Project } from "./harness/project.ts";
import { sized } from "./harness/size.ts";

const BATCHES = { slices: sized({ smoke: 2, usual: 30 }), ones: sized({ smoke: 1, usual: 2 }) };

/** How much faster many facts are applied in one transaction, in this process with parallel lanes, as the worker does. */
export const slices: Figure = {
  name: "slices",
  title: "processing by slices to slices of one",
  better: "more",
  reach: 15,
  stretch: 30,
  async measure(context) {
    const { database, project, service, players } = await openLoaded(context, "slices", { worker: true });
    await service.stop();
    const pool = context.server.pool(database.url, DEFAULT_LANES);
    context.atEnd(pool.close);
    const side = (name: string, batches: number, limit?: number) => ({
      name,
      costs: { of: "an event", by: [HERE] },
      prepare: () => enqueue(pool, project, makeBatches(batches, players)),
      measure: async () => ({ value: await workOff(context, pool, batches * BATCH, limit), done: batches * BATCH }),
    });
    const measured = await alternate(context, "events/s", side("slices of one", BATCHES.ones, 1), side("slices", BATCHES.slices));
    const { outcome } = context;
    outcome.equal("events logged", await eventsIn(pool.sql), players.count + turnsOf(context) * (BATCHES.ones + BATCHES.slices) * BATCH);
    await expectNothingLeft(outcome, pool.sql);
    await expectCompletions(outcome, pool.sql);
    await outcome.audited("the environment", pool, project.environment);
    return measured;
  },
};

export async function enqueue(database: Database, { environment }: Project, batches: readonly Item[][]): Promise<void> {
  for (const items of batches) await ingest(database, environment, { items, mayHoldBadText: false, now: Date.now() });
}

/** Applies all queued events, the lanes in parallel; returns events a second. Fails unless there were `events` of them. */
export async function workOff({ outcome }: Context, database: Database, events: number, limit?: number): Promise<number> {
  const started = performance.now();
  const counts = await Promise.all(lanesOf(DEFAULT_LANES).map((lane) => workLane(database, lane, limit)));
  const tookMs = performance.now() - started;
  const count = counts.reduce((sum, one) => sum + one, 0);
  outcome.equal(`events applied in a turn${limit === 1 ? ", one by one" : ""}`, count, events);
  return (count * 1000) / tookMs;
}

async function workLane(database: Database, lane: Lane, limit?: number): Promise<number> {
  let count = 0;
  for (
    let slice = await workSlice(database, lane, 0, limit);
    slice !== null;
    slice = await workSlice(database, lane, slice.environmentId, limit)
  )
    count += slice.count;
  return count;
}
