import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { alternate } from "./harness/alternate.ts";
import { BATCH, copyLines, type Item, makeBatches, batchRequest, requestsForEveryone } from "./harness/events.ts";
import { eventDefinition, twentyMissions } from "./harness/definitions.ts";
import type { Context, Figure } from "./harness/figure.ts";
import { sendAll } from "./harness/load.ts";
import { plus, tallyIn, tallyOf } from "./harness/recount.ts";
import { startService } from "./harness/process.ts";
import { makePlayers, makeProject } from "./harness/project.ts";
import { sized } from "./harness/size.ts";

const PLAYERS = sized({ smoke: 200, usual: 50_000 });
const BATCHES = sized({ smoke: 2, usual: 200 });
const COPIES = 2;

/** The cost of validation, keys, queue and HTTP, compared with COPY into the same table. */
export const ingest: Figure = {
  name: "ingest",
  title: "ingest, events/s to server-side COPY",
  better: "more",
  reach: 0.3,
  stretch: 0.45,
  async measure(context) {
    const database = await context.server.create("bench_ingest");
    context.atEnd(database.close);
    const project = await makeProject(database, "ingest", { events: [eventDefinition("order_placed")], missions: twentyMissions() });
    await makePlayers(database, project, PLAYERS);
    const service = await startService(context, database.url, { worker: false });
    await sendAll(service.port, requestsForEveryone(project.key, { count: PLAYERS }));
    await database.sql`create table copied (like events including all)`;
    await database.sql`insert into copied select * from events`;
    await database.sql`vacuum (analyze)`;

    let items: Item[][] = [];
    let requests: Buffer[] = [];
    let files: string[] = [];
    let expected = await tallyIn(database.sql);
    context.outcome.equal("players known beforehand", expected.events, PLAYERS);
    const reference = {
      name: "COPY from files of the server",
      costs: { of: "an event", by: [] },
      async prepare() {
        items = makeBatches(BATCHES, { count: PLAYERS });
        expected = plus(expected, tallyOf(items));
        files = writeFiles(context, project.environment.id, items);
      },
      async measure() {
        const started = performance.now();
        await Promise.all(files.map((file) => database.sql.unsafe(`copy copied from '${file}'`)));
        return { value: perSecond(items, started), done: BATCHES * BATCH };
      },
    };
    const ours = {
      name: "POST /v1/events",
      costs: { of: "an event", by: [service] },
      async prepare() {
        // Emptied by hand: no worker runs, so that ingest is measured alone.
        await database.sql`truncate queued_facts`;
        requests = items.map((batch) => batchRequest(project.key, batch));
      },
      async measure() {
        const rate = await sendAll(service.port, requests);
        const [row] = await database.sql<{ queued: number }[]>`select count(*) as queued from queued_facts`;
        context.outcome.equal("facts queued in a turn", row!.queued, BATCHES * BATCH);
        return { value: rate, done: BATCHES * BATCH };
      },
    };
    const measured = await alternate(context, "events/s", reference, ours);
    context.outcome.equal("events logged, and their amounts", await tallyIn(database.sql), expected);
    context.outcome.equal("events copied, and their amounts", await tallyIn(database.sql, "copied"), expected);
    return measured;
  },
};

/** Writes the same rows into files, one per connection that copies them. */
function writeFiles({ server }: Context, environmentId: number, items: readonly Item[][]): string[] {
  return Array.from({ length: COPIES }, (_, part) => {
    const file = join(server.files, `copy-${part}.txt`);
    const mine = items.filter((__, batch) => batch % COPIES === part);
    writeFileSync(file, mine.map((batch) => copyLines(environmentId, 1, batch)).join("\n") + "\n", { mode: 0o644 });
    return file;
  });
}

const perSecond = (items: readonly Item[][], started: number): number => (items.flat().length * 1000) / (performance.now() - started);
