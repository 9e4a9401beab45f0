import { encode } from "next-auth/jwt";
import { gzipSync } from "node:zlib";
import { alternate } from "./harness/alternate.ts";
import { eventDefinition, missionsOn } from "./harness/definitions.ts";
import type { Context, Figure } from "./harness/figure.ts";
import { AUTH_SECRET, startService } from "./harness/process.ts";
import { makeProject } from "./harness/project.ts";
import { sized } from "./harness/size.ts";
import { percentile } from "./harness/statistics.ts";

const MISSIONS = sized({ smoke: 60, usual: 1_000 });
const READS = sized({ smoke: 3, usual: 40 });
const PAGE = 50;
/**
 * The largest compressed JavaScript of a list page. A size is the same in every run, so exceeding it is an error, not only a missed target.
 * Zod alone is 32 kB: only forms may load it.
 */
const BUDGET_KB = 220;
/** The same for pages that do more, each with the size it has, rounded up. */
const BUDGETS_KB: Readonly<Record<string, number>> = {
  ...{ alerts: 210, "developers/deliveries": 215, "developers/events": 225 },
  ...{ "developers/requests": 225, settings: 235, translations: 235 },
};
/** The session cookie for http (server/api/session-cookie.ts). */
const COOKIE = "engagement.session";

/** Prepares reads of a project's list page as a signed-in browser makes them. */
async function openList(context: Context, name: string, missions: number) {
  const database = await context.server.create(`bench_${name}`);
  context.atEnd(database.close);
  const many = missionsOn("order_placed", missions);
  const { environment } = await makeProject(database, name.replaceAll("_", "-"), {
    events: [eventDefinition("order_placed")],
    missions: many,
  });
  const { port } = await startService(context, database.url, { pages: true });
  const [session] = await database.sql<{ id: string }[]>`
    insert into sessions (user_id, expires_at) select id, now() + interval '1 day' from users limit 1 returning id`;
  const token = await encode({ token: { sessionId: session!.id }, secret: AUTH_SECRET, salt: COOKIE });
  const base = `http://localhost:${port}`;
  const get = (path: string) => fetch(base + path, { headers: { Accept: "text/html", Cookie: `${COOKIE}=${token}` }, redirect: "manual" });
  const read = async (page = "missions"): Promise<string> => {
    const answer = await get(`/dashboard/${environment.projectSlug}/live/${page}`);
    if (answer.status !== 200) throw new Error(`The page of ${page} answers ${answer.status}.`);
    return answer.text();
  };
  return { read, get };
}

/** The dashboard's list of a thousand definitions, compared with one of ten: the server sorts, filters and pages. */
export const dashboardList: Figure = {
  name: "dashboard-list",
  title: "dashboard list page of 1,000 missions, p95 of the time to the whole answer",
  better: "less",
  reach: 1.2,
  stretch: 1.1,
  async measure(context) {
    const side = async (name: string, missions: number) => {
      const { read } = await openList(context, name, missions);
      return {
        name: `${missions} missions`,
        async measure() {
          const times: number[] = [];
          for (let at = 0; at < READS; at++) {
            const started = performance.now();
            const html = await read();
            times.push(performance.now() - started);
            const rows = new Set(html.match(/Mission \d+ of order_placed/g));
            context.outcome.equal(`missions on the page, of ${missions}`, rows.size, Math.min(missions, PAGE));
          }
          return percentile(times, 0.95);
        },
      };
    };
    return alternate(context, "ms", await side("list_10", 10), await side("list_many", MISSIONS));
  },
};

/** The size of the page's scripts, compressed as sent. */
export const dashboardScripts: Figure = {
  name: "dashboard-scripts",
  title: "JavaScript of a dashboard list page, compressed, to 220 kB",
  better: "less",
  reach: 1,
  stretch: 0.9,
  async measure(context) {
    const { read, get } = await openList(context, "scripts", 10);
    const weigh = async (page?: string) => {
      // No supported browser fetches the scripts for browsers without modules.
      const html = (await read(page)).replaceAll(/<script[^>]*\bnoModule\b[^>]*>/gi, "");
      const paths = new Set(html.match(/\/_next\/static\/[^"'\\ ]+?\.js/g));
      const scripts = await Promise.all([...paths].map(async (path) => ({ path, answer: await get(path) })));
      const missing = scripts.filter(({ answer }) => answer.status !== 200).map(({ path }) => path);
      context.outcome.equal("scripts of the page that are not served", missing, []);
      const sizes = await Promise.all(scripts.map(async ({ answer }) => gzipSync(await answer.bytes()).length));
      context.outcome.atLeast("scripts of the page", Math.min(...sizes) > 0 ? sizes.length : 0, 5);
      return sizes.reduce((sum, size) => sum + size, 0) / 1_000;
    };
    const weight = await weigh();
    context.outcome.atMost("kB of the page's scripts", Math.round(weight), BUDGET_KB);
    for (const [page, most] of Object.entries(BUDGETS_KB))
      context.outcome.atMost(`kB of the scripts of ${page}`, Math.round(await weigh(page)), most);
    return {
      reference: { name: "the budget", unit: "kB", values: [BUDGET_KB] },
      ours: { name: "missions, first view", unit: "kB", values: [weight] },
      notes: [],
    };
  },
};
