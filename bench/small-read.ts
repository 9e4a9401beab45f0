import { alternate } from "./harness/alternate.ts";
import { eventDefinition } from "./harness/definitions.ts";
import { playerName } from "./harness/events.ts";
import type { Context, Figure } from "./harness/figure.ts";
import { expectOk, withConnections } from "./harness/http.ts";
import { CONNECTIONS, readFor } from "./harness/load.ts";
import { type Server, startServer, startService } from "./harness/process.ts";
import { makePlayers, makeProject, pointsRequest } from "./harness/project.ts";
import { sized } from "./harness/size.ts";

const PLAYERS = 1_000;
const DURATION_MS = sized({ smoke: 200, usual: 3_000 });
const BALANCE = { balance: 120, totalGranted: 150, totalSpent: 30 };

/** The cost of the API's edge, compared with a server written only for this read. */
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
    const side = async (name: string, start: Promise<Server>) => {
      const server = await start;
      return {
        name,
        port: server.port,
        costs: { of: "a read", by: [server] },
        async measure() {
          const { rate, times } = await readFor(server.port, requests, CONNECTIONS, DURATION_MS);
          return { value: rate, done: times.length };
        },
      };
    };
    const reference = await side("node:http and postgres.js by hand", startReference(context, database.url));
    const ours = await side("GET /v1/points", startService(context, database.url));
    const measured = await alternate(context, "requests/s", reference, ours);
    for (const { name, port } of [reference, ours])
      await withConnections(port, 1, async ([connection]) => {
        for (const request of requests.slice(0, 100))
          context.outcome.equal(`answers, ${name}`, JSON.parse(expectOk(await connection!.request(request)).toString()), BALANCE);
      });
    return measured;
  },
};

const startReference = (context: Context, url: string) =>
  startServer(context, "bench/harness/points-server.ts", "/", { DATABASE_URL: url });
