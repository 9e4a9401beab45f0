import type { Database } from "../db/client.ts";
import { alternate, turnsOf } from "./harness/alternate.ts";
import { boardsAndStreak } from "./harness/definitions.ts";
import { BATCH, makeRequests } from "./harness/events.ts";
import type { Context, Figure, Measured } from "./harness/figure.ts";
import { sendAll, sendAndApply } from "./harness/load.ts";
import { openLoaded } from "./harness/loaded.ts";
import { eventsIn, expectCompletions, expectNothingLeft, expectScores } from "./harness/recount.ts";
import { sized } from "./harness/size.ts";

const BATCHES = sized({ smoke: 1, usual: 60 });

/** Events from sending until applied, while further ones are sent. */
export const sustained: Figure = {
  name: "sustained",
  title: "send → applied, events/s to ingest alone",
  better: "more",
  reach: 0.45,
  stretch: 0.6,
  measure: (context) => measureWith(context, "20 missions", {}),
};

/** The same, where each event also changes a score on three boards and may prolong a streak. */
export const sustainedInPlay: Figure = {
  name: "sustained-in-play",
  title: "send → applied with 3 boards and a streak, to ingest alone",
  better: "more",
  reach: 0.3,
  stretch: 0.4,
  measure: (context) => measureWith(context, "20 missions, 3 leaderboards, 1 streak", boardsAndStreak()),
};

async function measureWith(context: Context, inPlay: string, more: Partial<ReturnType<typeof boardsAndStreak>>): Promise<Measured> {
  const alone = await openLoaded(context, "alone", { worker: false, ...more });
  const both = await openLoaded(context, "both", more);
  let requests: Buffer[] = [];
  const measured = await alternate(
    context,
    "events/s",
    {
      name: "ingest alone",
      costs: { of: "an event", by: [alone.service] },
      async prepare() {
        await alone.database.sql`truncate queued_facts`;
        requests = makeRequests(alone.project.key, BATCHES, alone.players);
      },
      measure: async () => ({ value: await sendAll(alone.service.port, requests), done: BATCHES * BATCH }),
    },
    {
      name: `sent and applied, ${inPlay}`,
      costs: { of: "an event", by: [both.service] },
      async prepare() {
        requests = makeRequests(both.project.key, BATCHES, both.players);
      },
      measure: async () => ({ value: await sendAndApply(both.service.port, both.database.sql, requests), done: BATCHES * BATCH }),
    },
  );
  const { outcome } = context;
  const { sql } = both.database;
  const sent = both.players.count + turnsOf(context) * BATCHES * BATCH;
  outcome.equal("events logged by ingest alone", await eventsIn(alone.database.sql), sent);
  outcome.equal("events logged where they are applied", await eventsIn(sql), sent);
  await expectNothingLeft(outcome, sql);
  await expectCompletions(outcome, sql);
  if (more.leaderboards !== undefined) await expectScores(outcome, sql);
  measured.notes.push(await stateSizes(both.database));
  await both.service.stop();
  await outcome.audited("the environment where they are applied", both.database, both.project.environment);
  return measured;
}

/** The size of one player's rows of `mission_states`. */
async function stateSizes({ sql }: Pick<Database, "sql">): Promise<string> {
  const [row] = await sql<{ p50: number; p99: number; stored: number }[]>`
    select percentile_disc(0.5) within group (order by bytes) as p50, percentile_disc(0.99) within group (order by bytes) as p99,
      percentile_disc(0.99) within group (order by stored) as stored
    from (select sum(octet_length(state::text)) as bytes, sum(pg_column_size(state)) as stored from mission_states group by part, player_id) players`;
  return `a player's mission_states, 20 missions: p50 ${row?.p50}, p99 ${row?.p99} bytes of text (p99 ${row?.stored} as stored)`;
}
