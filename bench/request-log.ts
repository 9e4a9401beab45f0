import { alternate } from "./harness/alternate.ts";
import { eventDefinition } from "./harness/definitions.ts";
import { makeItem, playerName } from "./harness/events.ts";
import type { Context, Figure } from "./harness/figure.ts";
import { requestOf } from "./harness/http.ts";
import { CONNECTIONS, readFor } from "./harness/load.ts";
import { startServer } from "./harness/process.ts";
import { makePlayers, makeProject } from "./harness/project.ts";
import { sized } from "./harness/size.ts";

const PLAYERS = 1_000;
const EVENTS = sized({ smoke: 2_000, usual: 20_000 });
const DURATION_MS = sized({ smoke: 300, usual: 3_000 });

/** The requests of one side; `path` is the prefix of their paths. */
type Requests = (key: string, path: string) => Buffer[];

/** How much slower responses are with the request log. */
async function measure(context: Context, name: string, requests: Requests) {
  const database = await context.server.create(`bench_${name}`);
  context.atEnd(database.close);
  const project = await makeProject(database, "logged", { events: [eventDefinition("order_placed")] });
  await makePlayers(database, project, PLAYERS);
  const server = await startServer(context, "bench/harness/logged-server.ts", "/v1/openapi.json", { DATABASE_URL: database.url });
  let toBeLogged = 0;
  const side = (words: string, sent: Buffer[], isLogged: boolean) => ({
    name: words,
    costs: { of: "a request", by: [server] },
    prepare: () => database.sql`truncate queued_facts`,
    async measure() {
      const { rate, times } = await readFor(server.port, sent, CONNECTIONS, DURATION_MS);
      if (isLogged) toBeLogged += times.length;
      return { value: rate, done: times.length };
    },
  });
  const plain = side("without the log", requests(project.key, "/plain"), false);
  const logged = side("with the log", requests(project.key, ""), true);
  const measured = await alternate(context, "requests/s", plain, logged);
  await server.stop();
  const [row] = await database.sql<{ logged: number; omitted: number }[]>`
    select (select count(*) from request_log) as logged, (select coalesce(sum(successes), 0)::bigint from request_log_omissions) as omitted`;
  context.outcome.equal("requests logged, or counted as omitted", row!.logged + row!.omitted, toBeLogged);
  context.outcome.atLeast("requests in the log", row!.logged, 1);
  return measured;
}

const readsOf: Requests = (key, path) =>
  Array.from({ length: PLAYERS }, (_, index) => requestOf("GET", `${path}/v1/points?PlayerId=${playerName(index)}`, { key }));

/** Requests of one event each, which give the request log the most work. */
const eventsOf: Requests = (key, path) =>
  Array.from({ length: EVENTS }, (_, index) =>
    requestOf("POST", `${path}/v1/events`, { key, body: JSON.stringify({ events: [makeItem(playerName(index % PLAYERS))] }) }),
  );

const figure = (name: string, what: string, requests: Requests): Figure => ({
  name,
  title: `${what} with the log of requests, requests/s to without it`,
  better: "more",
  reach: 0.98,
  stretch: 0.99,
  measure: (context) => measure(context, name.replaceAll("-", "_"), requests),
});

export const loggedReads = figure("logged-reads", "GET /v1/points", readsOf);
export const loggedEvents = figure("logged-events", "POST /v1/events of one event", eventsOf);
