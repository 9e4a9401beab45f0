import { signedIn } from "../server/api/testing/signed-in.ts";
import { readBalance } from "../server/game/points/service.ts";
import { checkAnalytics } from "../server/operations/integrity/check-analytics.ts";
import { OperatorError } from "../server/model/kernel/operator-error.ts";
import { playerKey } from "../server/model/players/identity.ts";
import { FIRST_TURN } from "./harness/alternate.ts";
import { playerName } from "./harness/events.ts";
import type { Figure } from "./harness/figure.ts";
import { DAYS, makeHistory } from "./harness/history.ts";
import { sized } from "./harness/size.ts";
import { percentile, round } from "./harness/statistics.ts";

const PLAYERS = sized({ smoke: 1_000, usual: 100_000, full: 1_000_000 });
/** The server time that a screen may take, in milliseconds. */
const BUDGET_MS = 200;
/** Calls per procedure and turn. */
const CALLS = sized({ smoke: 3, usual: 20 });
const DAY_MS = 24 * 3_600_000;
/** The reads that must find something, whichever player is drawn. */
const NEVER_EMPTY = [
  ...["player: profile", "player: timeline", "player: events", "player: completions", "players: newest", "players: search"],
  ...["tail: all", "requests: all", "deliveries: all", "home"],
  ...["report: players", "report: missions", "report: points", "report: shop", "report: events", "report: webhooks"],
];

/**
 * The reads behind the dashboard: a player's page, the lists, the tail and each report, called one after the other as a signed-in Viewer.
 * The time is that of the procedure, including authorization.
 */
export const insight: Figure = {
  name: "insight",
  title: `slowest of the dashboard's reads over a large history, p95, to ${BUDGET_MS} ms`,
  better: "less",
  reach: 1,
  stretch: 0.5,
  async measure(context) {
    const database = await context.server.create("bench_insight");
    context.atEnd(database.close);
    const { project, slug, endpointId } = await makeHistory(database, PLAYERS, context.say);
    const { rpc } = await signedIn(database, slug, "Viewer");
    const scope = { project: slug, environment: "live" as const };
    const today = new Date();
    const range = {
      ...scope,
      from: new Date(today.getTime() - (DAYS - 1) * DAY_MS).toISOString().slice(0, 10),
      to: today.toISOString().slice(0, 10),
      by: "Day" as const,
    };
    const randomPlayer = () => playerName(Math.floor(Math.random() * PLAYERS));
    const aPlayer = () => ({ ...scope, externalId: randomPlayer() });
    const ofSegment = (segment: string) => ({ ...range, segment });
    const reads: Record<string, () => Promise<unknown>> = {
      "player: profile": () => rpc.players.get(aPlayer()),
      "player: timeline": () => rpc.players.timeline(aPlayer()),
      "player: missions and segments": () => rpc.simulation.standing(aPlayer()),
      "player: completions": () => rpc.players.completions(aPlayer()),
      "player: standings": () => rpc.players.standings(aPlayer()),
      "player: purchases": () => rpc.marketplace.purchases(aPlayer()),
      "player: events": () => rpc.events.ofPlayer({ ...scope, player: randomPlayer() }),
      "players: newest": () => rpc.players.list(scope),
      "players: search": () => rpc.players.list({ ...scope, query: randomPlayer().slice(0, -2) }),
      "players: of a segment": () => rpc.segments.members({ ...scope, key: "tenth" }),
      "tail: all": () => rpc.events.tail(scope),
      "tail: of a player": () => rpc.events.tail({ ...scope, player: randomPlayer() }),
      "tail: refused": () => rpc.events.tail({ ...scope, outcome: "Refused" }),
      "tail: never entered": () => rpc.events.unentered(scope),
      "requests: all": () => rpc.requestLog.list(scope),
      "requests: errors": () => rpc.requestLog.overview(scope),
      "deliveries: all": () => rpc.webhooks.deliveries(scope),
      "deliveries: failed": () => rpc.webhooks.deliveries({ ...scope, id: endpointId, status: "Failed" }),
      "deliveries: of a player": () => rpc.webhooks.deliveries({ ...scope, player: randomPlayer() }),
      home: () => rpc.analytics.overview(scope),
      "report: players": () => rpc.analytics.players(range),
      "report: missions": () => rpc.analytics.missions(range),
      "report: one mission": () => rpc.analytics.mission({ ...range, key: "order_placed_mission_0" }),
      "report: points": () => rpc.analytics.points(range),
      "report: shop": () => rpc.analytics.shop(range),
      "report: streaks": () => rpc.analytics.streaks(range),
      "report: leaderboards": () => rpc.analytics.leaderboards(scope),
      "report: events": () => rpc.analytics.events(range),
      "report: webhooks": () => rpc.analytics.webhooks(range),
      "report of 1 % of players: players": () => rpc.analytics.players(ofSegment("hundredth")),
      "report of 1 % of players: missions": () => rpc.analytics.missions(ofSegment("hundredth")),
      "report of 1 % of players: points": () => rpc.analytics.points(ofSegment("hundredth")),
      "report of 1 % of players: shop": () => rpc.analytics.shop(ofSegment("hundredth")),
    };
    /** Printed, but not held to the budget: these read the activity of many players, and are bounded by `readOnly` in db/client.ts. */
    const unbudgeted: Record<string, () => Promise<unknown>> = {
      "report of 10 % of players: players": () => rpc.analytics.players(ofSegment("tenth")),
      "report of 10 % of players: missions": () => rpc.analytics.missions(ofSegment("tenth")),
      "report of 10 % of players: points": () => rpc.analytics.points(ofSegment("tenth")),
      "report of 10 % of players: shop": () => rpc.analytics.shop(ofSegment("tenth")),
    };
    const small = () => readBalance(database.sql, playerKey(project.environment.id, randomPlayer()));
    const slowest: number[] = [];
    const times = new Map<string, number[]>();
    const empty = new Set(NEVER_EMPTY);
    const note = async (name: string, read: () => Promise<unknown>, calls: number): Promise<number> => {
      const { own, holdsSomething } = await timesOf(read, calls);
      if (holdsSomething) empty.delete(name);
      times.set(name, [...(times.get(name) ?? []), ...own]);
      return percentile(own, 0.95);
    };
    for (let turn = FIRST_TURN; turn < context.rounds; turn++) {
      if (turn === 0) times.clear();
      const p95s: number[] = [];
      for (const [name, read] of Object.entries(reads)) p95s.push(await note(name, read, CALLS));
      for (const [name, read] of Object.entries(unbudgeted))
        await note(name, read, 2).catch((error: unknown) => {
          if (!(error instanceof OperatorError)) throw error;
          context.say(`${name} was aborted: ${error.message}`);
        });
      await note("a read of one balance, for comparison", small, CALLS);
      context.say(`${turn < 0 ? "warm-up" : `round ${turn + 1}`}: slowest ${round(Math.max(...p95s))} ms`);
      if (turn >= 0) slowest.push(Math.max(...p95s));
    }
    context.outcome.equal("reads that found nothing in any call", [...empty], []);
    const found = await database.sql.begin((tx) => checkAnalytics(tx, project.environment));
    // harness/history.ts writes only the quarter-hour sums of attempts, since the attempts themselves would be millions.
    const wrong = found.filter((line) => !line.startsWith("analytics, attempts"));
    context.outcome.equal("sums of reports that differ from a recount", wrong, []);
    return {
      reference: { name: "the budget", unit: "ms", values: slowest.map(() => BUDGET_MS) },
      ours: { name: `slowest read, ${PLAYERS} players, ${10 * PLAYERS} events`, unit: "ms", values: slowest },
      notes: [...times].map(([name, own]) => `${name}: p50 ${round(percentile(own, 0.5))} ms, p95 ${round(percentile(own, 0.95))} ms`),
    };
  },
};

async function timesOf(read: () => Promise<unknown>, calls: number) {
  const own: number[] = [];
  let holdsSomething = false;
  for (let call = 0; call < calls; call++) {
    const started = performance.now();
    const answer = await read();
    own.push(performance.now() - started);
    holdsSomething ||= hasContent(answer);
  }
  return { own, holdsSomething };
}

/** Whether it contains a text or a number other than 0: a response of empty lists would cost nothing. */
function hasContent(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return Boolean(value);
  return Object.values(value).some(hasContent);
}
