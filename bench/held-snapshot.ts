import { openDatabase } from "../db/client.ts";
import { BATCH, makeRequests } from "./harness/events.ts";
import type { Cost, Figure } from "./harness/figure.ts";
import { sendAndApply } from "./harness/load.ts";
import { openLoaded } from "./harness/loaded.ts";
import { nodeCpuUsOf } from "./harness/proc.ts";
import { boardsAndStreak } from "./harness/definitions.ts";
import { eventsIn, expectCompletions, expectNothingLeft, expectScores } from "./harness/recount.ts";
import { sized } from "./harness/size.ts";
import { round } from "./harness/statistics.ts";

const BATCHES = sized({ smoke: 1, usual: 30 });
/** Turns while the snapshot is held; in `--full` they take half an hour at 10,000 events/s. */
const TURNS = sized({ smoke: 2, usual: 16, full: 600 });

/** The effect of a long report or `pg_dump`: vacuum cannot remove any row that is replaced or deleted meanwhile. */
export const heldSnapshot: Figure = {
  name: "held-snapshot",
  title: "send → applied while another session holds a snapshot, last turn to first",
  better: "more",
  reach: 0.9,
  stretch: 0.98,
  async measure(context) {
    const { service, database, project, players } = await openLoaded(context, "held", boardsAndStreak());
    const { sql } = database;
    const cost = (): Cost => ({ of: "an event", nodeUs: [], postgresUs: [], walBytes: [] });
    const [first, last] = [
      { name: "the first turn", unit: "events/s", values: [] as number[], cost: cost() },
      { name: `the last of ${TURNS}`, unit: "events/s", values: [] as number[], cost: cost() },
    ];
    const spent = async () => ({ node: nodeCpuUsOf(service.pid), postgres: context.server.cpuUs(), wal: await context.server.walBytes() });
    const each = (after: number | null, before: number | null) =>
      after === null || before === null ? null : (after - before) / (BATCHES * BATCH);
    for (let turn = 0; turn < context.rounds; turn++) {
      const holder = openDatabase(database.url, { connections: 1 });
      await holder.sql.begin("isolation level repeatable read", async (tx) => {
        await tx`select count(*) from installation`;
        for (let one = 1; one <= TURNS; one++) {
          const requests = makeRequests(project.key, BATCHES, players);
          const before = await spent();
          const rate = await sendAndApply(service.port, sql, requests);
          const after = await spent();
          context.say(`snapshot ${turn + 1}, turn ${one}: ${round(rate)} events/s`);
          if (one > 1 && one < TURNS) continue;
          const side = one === 1 ? first : last;
          side.values.push(rate);
          side.cost.nodeUs.push(each(after.node, before.node));
          side.cost.postgresUs.push(each(after.postgres, before.postgres));
          side.cost.walBytes.push(each(after.wal, before.wal)!);
        }
      });
      await holder.close();
      await sql`vacuum`;
    }
    const { outcome } = context;
    outcome.equal("events logged", await eventsIn(sql), players.count + context.rounds * TURNS * BATCHES * BATCH);
    await expectNothingLeft(outcome, sql);
    await expectCompletions(outcome, sql);
    await expectScores(outcome, sql);
    await service.stop();
    await outcome.audited("the environment", database, project.environment);
    return { reference: first, ours: last, notes: [`${TURNS * BATCHES * BATCH} events while a snapshot is held`] };
  },
};
