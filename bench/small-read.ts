import { alternate } from "./harness/alternate.ts";
import { eventDefinition } from "./harness/definitions.ts";
import { playerName } from "./harness/events.ts";
import type { Context, Figure } from "./harness/figure.ts";
import { CONNECTIONS, readFor } from "./harness/load.ts";
import { startServer, startService } from "./harness/process.ts";
import { makePlayers, makeProject, pointsRequest } from "./harness/project.ts";

const PLAYERS = 1_000;
const DURATION_MS = 3_000;

/** The cost of the edge beside a server that is written for this one read. */
export const smallRead: Figure = {
  name: "small-read",
  title: "GET /v1/points, requests/s to a hand-written server",
  better: "more",
  reach: 0.8,
  stretch: 0.9,
  async measure(context) {
    const database = await context.server.create("bench_points");
    context.atEnd(database.close);
    const project = await makeProject(database, "points", { events: [eventDefinition("order_placed")] });
    await makePlayers(database, project, PLAYERS);
    await database.sql`
      insert into balances (part, player_id, balance, total_granted, total_spent) select part, player_id, 120, 150, 30 from players`;
    await database.sql`vacuum (analyze)`;
    const requests = Array.from({ length: PLAYERS }, (_, index) => pointsRequest(project.key, playerName(index)));
    const side = async (name: string, start: Promise<{ port: number }>) => {
      const { port } = await start;
      return { name, measure: async () => (await readFor(port, requests, CONNECTIONS, DURATION_MS)).rate };
    };
    const reference = await side("node:http and postgres.js by hand", startReference(context, database.url));
    return alternate(context, "requests/s", reference, await side("GET /v1/points", startService(context, database.url)));
  },
};

const startReference = (context: Context, url: string) =>
  startServer(context, "bench/harness/points-server.ts", "/", { DATABASE_URL: url });
