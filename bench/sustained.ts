import type { Database } from "../db/client.ts";
import { alternate } from "./harness/alternate.ts";
import { makeRequests } from "./harness/events.ts";
import type { Figure } from "./harness/figure.ts";
import { sendAll, sendAndApply } from "./harness/load.ts";
import { openLoaded } from "./harness/loaded.ts";

const BATCHES = 60;

/** design.md 5: the whole way of an event, sent and applied, while more are sent. */
export const sustained: Figure = {
  name: "sustained",
  title: "send → applied, events/s to ingest alone",
  better: "more",
  reach: 0.35,
  stretch: 0.5,
  async measure(context) {
    const [alone, both] = [await openLoaded(context, "alone", { worker: false }), await openLoaded(context, "both", { worker: true })];
    let requests: Buffer[] = [];
    const measured = await alternate(
      context,
      "events/s",
      {
        name: "ingest alone",
        async prepare() {
          await alone.database.sql`truncate queued_facts`;
          requests = makeRequests(alone.project.key, BATCHES, alone.players);
        },
        measure: () => sendAll(alone.service.port, requests),
      },
      {
        name: "sent and applied, 20 missions",
        async prepare() {
          requests = makeRequests(both.project.key, BATCHES, both.players);
        },
        measure: () => sendAndApply(both.service.port, both.database.sql, requests),
      },
    );
    measured.notes.push(await stateSizes(both.database), await completions(both.database));
    return measured;
  },
};

/** What one player's rows of `mission_states` take together. */
async function stateSizes({ sql }: Pick<Database, "sql">): Promise<string> {
  const [row] = await sql<{ p50: number; p99: number; stored: number }[]>`
    select percentile_disc(0.5) within group (order by bytes) as p50, percentile_disc(0.99) within group (order by bytes) as p99,
      percentile_disc(0.99) within group (order by stored) as stored
    from (select sum(octet_length(state::text)) as bytes, sum(pg_column_size(state)) as stored from mission_states group by part, player_id) players`;
  return `a player's mission_states, 20 missions: p50 ${row?.p50}, p99 ${row?.p99} bytes of text (p99 ${row?.stored} as stored)`;
}

async function completions({ sql }: Pick<Database, "sql">): Promise<string> {
  const [row] = await sql<{ count: number }[]>`select count(*) from mission_completions`;
  return `${row?.count} missions were completed on the way, each with its points`;
}
