import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sql } from "../db/client.ts";
import { alternate } from "./harness/alternate.ts";
import { BATCH, copyLines, type Item, makeBatches, batchRequest, requestsForEveryone } from "./harness/events.ts";
import { eventDefinition, twentyMissions } from "./harness/definitions.ts";
import type { Context, Figure } from "./harness/figure.ts";
import { sendAll } from "./harness/load.ts";
import { startService } from "./harness/process.ts";
import { makePlayers, makeProject } from "./harness/project.ts";

const PLAYERS = 50_000;
const BATCHES = 200;
const COPIES = 2;

/** The cost of validation, keys, queue and HTTP beside the barest way into the same table. */
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
    const reference = {
      name: "COPY from files of the server",
      async prepare() {
        items = makeBatches(BATCHES, { count: PLAYERS });
        files = writeFiles(context, project.environment.id, items);
      },
      async measure() {
        const started = performance.now();
        await Promise.all(files.map((file) => database.sql.unsafe(`copy copied from '${file}'`)));
        return perSecond(items, started);
      },
    };
    const ours = {
      name: "POST /v1/events",
      async prepare() {
        // A worker would keep the queue short; here none runs, so that ingest is measured alone.
        await database.sql`truncate queued_facts`;
        requests = items.map((batch) => batchRequest(project.key, batch));
      },
      async measure() {
        const rate = await sendAll(service.port, requests);
        await expectSameRows(database.sql);
        return rate;
      },
    };
    return alternate(context, "events/s", reference, ours);
  },
};

/** Both sides have written the same. */
async function expectSameRows(sql: Sql): Promise<void> {
  const [row] = await sql<{ copied: number; logged: number; queued: number }[]>`
    select (select count(*) from copied) as copied, (select count(*) from events) as logged, (select count(*) from queued_facts) as queued`;
  if (row?.copied !== row?.logged || row?.queued !== BATCHES * BATCH) throw new Error(`The rows differ: ${JSON.stringify(row)}`);
}

/** The same rows in as many files as there are connections to copy them. */
function writeFiles({ server }: Context, environmentId: number, items: readonly Item[][]): string[] {
  return Array.from({ length: COPIES }, (_, part) => {
    const file = join(server.files, `copy-${part}.txt`);
    const mine = items.filter((__, batch) => batch % COPIES === part);
    writeFileSync(file, mine.map((batch) => copyLines(environmentId, 1, batch)).join("\n") + "\n", { mode: 0o644 });
    return file;
  });
}

const perSecond = (items: readonly Item[][], started: number): number => (items.flat().length * 1000) / (performance.now() - started);
