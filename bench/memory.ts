import { setTimeout as sleep } from "node:timers/promises";
import { alternate } from "./harness/alternate.ts";
import { BATCH, makeRequests, requestsForEveryone } from "./harness/events.ts";
import type { Context, Figure } from "./harness/figure.ts";
import { openLoaded } from "./harness/loaded.ts";
import { eventsIn, expectCompletions, expectNothingLeft } from "./harness/recount.ts";
import { sendAll, untilApplied } from "./harness/load.ts";
import { startService } from "./harness/process.ts";
import { sized } from "./harness/size.ts";
import { median } from "./harness/statistics.ts";

const FEW = sized({ smoke: 500, usual: 10_000 });
const MANY = sized({ smoke: 1_000, usual: 100_000, full: 1_000_000 });
const BATCHES = sized({ smoke: 2, usual: 30 });
const SAMPLE_MS = 200;
const MEGABYTE = 1_000_000;

/** The memory of a process must not grow with the number of players. */
export const memory: Figure = {
  name: "memory",
  title: "memory at the sustained rate, many known players to few",
  better: "less",
  reach: 1.3,
  stretch: 1.1,
  async measure(context) {
    return alternate(context, "MB", await openSide(context, "few", FEW), await openSide(context, "many", MANY), { warmUp: false });
  },
};

async function openSide(context: Context, name: string, count: number) {
  const { database, project, service, players } = await openLoaded(context, `memory-${name}`, { players: count });
  await service.stop();
  return {
    name: `${count} players`,
    /** A new process for each turn, measured in the second half of its life, when it knows every player. */
    async measure() {
      const before = await eventsIn(database.sql);
      const fresh = await startService(context, database.url);
      await sendAll(fresh.port, requestsForEveryone(project.key, players));
      const samples: number[] = [];
      let isOver = false;
      const sampling = (async () => {
        while (!isOver) {
          samples.push(fresh.memory() / MEGABYTE);
          await sleep(SAMPLE_MS);
        }
      })();
      await sendAll(fresh.port, makeRequests(project.key, BATCHES, players));
      await untilApplied(database.sql);
      isOver = true;
      await sampling;
      await fresh.stop();
      const { outcome } = context;
      outcome.equal(`events logged of ${count} players in a turn`, (await eventsIn(database.sql)) - before, count + BATCHES * BATCH);
      await expectNothingLeft(outcome, database.sql);
      await expectCompletions(outcome, database.sql);
      return median(samples);
    },
  };
}
