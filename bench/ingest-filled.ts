import type { Database } from "../db/client.ts";
import { alternate } from "./harness/alternate.ts";
import { eventDefinition, twentyMissions } from "./harness/definitions.ts";
import { BATCH, makeRequests, requestsForEveryone } from "./harness/events.ts";
import type { Context, Figure } from "./harness/figure.ts";
import { sendAll } from "./harness/load.ts";
import { eventsIn } from "./harness/recount.ts";
import { startService } from "./harness/process.ts";
import { makePlayers, makeProject } from "./harness/project.ts";
import { sized } from "./harness/size.ts";

const PLAYERS = sized({ smoke: 1_000, usual: 50_000 });
const BATCHES = sized({ smoke: 2, usual: 150 });
const STORED = sized({ smoke: 3_000, usual: 1_000_000, full: 10_000_000 });

/** How much slower ingest becomes as the log grows. */
export const ingestFilled: Figure = {
  name: "ingest-filled",
  title: "ingest with many stored events to empty",
  better: "more",
  reach: 0.85,
  stretch: 0.95,
  async measure(context) {
    const sides = [await openSide(context, "empty", 0), await openSide(context, "filled", STORED)] as const;
    const [empty, filled] = sides.map(({ name, database, service, project, isEmpty }) => {
      let requests: Buffer[] = [];
      let expected = 0;
      return {
        name,
        costs: { of: "an event", by: [service] },
        async prepare() {
          await database.sql`truncate queued_facts`;
          if (isEmpty) await database.sql`truncate events`;
          expected = (await eventsIn(database.sql)) + BATCHES * BATCH;
          requests = makeRequests(project.key, BATCHES, { count: PLAYERS });
        },
        async measure() {
          const rate = await sendAll(service.port, requests);
          context.outcome.equal(`events in the ${name}`, await eventsIn(database.sql), expected);
          return { value: rate, done: BATCHES * BATCH };
        },
      };
    });
    const measured = await alternate(context, "events/s", empty!, filled!);
    const [size] = await sides[1].database.sql<{ rows: string; heap: string; index: string }[]>`
      select count(*)::text as rows, pg_size_pretty(pg_relation_size('events')) as heap, pg_size_pretty(pg_indexes_size('events')) as index from events`;
    measured.notes.push(`at the end the filled log has ${size?.rows} events: ${size?.heap}, index ${size?.index}`);
    return measured;
  },
};

async function openSide(context: Context, name: string, stored: number) {
  const database = await context.server.create(`bench_${name}`);
  context.atEnd(database.close);
  const project = await makeProject(database, "ingest", { events: [eventDefinition("order_placed")], missions: twentyMissions() });
  await makePlayers(database, project, PLAYERS);
  await store(context, database, stored);
  const service = await startService(context, database.url, { worker: false });
  await sendAll(service.port, requestsForEveryone(project.key, { count: PLAYERS }));
  return { name: stored === 0 ? "empty log" : `log of ${stored} events`, database, service, project, isEmpty: stored === 0 };
}

/** Fills the log with events of all players in the order of their time; half have random ids (keyed), half ids in the order of time. */
async function store({ say }: Context, { sql }: Database, count: number): Promise<void> {
  for (let pass = 0; pass < count / PLAYERS; pass++) {
    if (pass % 20 === 0) say(`filling: ${pass * PLAYERS} of ${count} events`);
    await sql`
      insert into events (part, player_id, id, environment_id, definition_id, seq, occurred_at, received_at, properties)
      select part, player_id, case when random() < 0.5 then gen_random_uuid() else uuidv7() end, environment_id, 1, nextval('fact_seq'), now(), now(),
        '{"amount":12.5,"drink":"flat white","takeaway":true,"shop":"shop-123","channel":"counter","receipt":"order-12345-123456"}'
      from players order by external_id`;
  }
  await sql`vacuum (analyze) events`;
  await sql`checkpoint`;
}
