import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../db/client.ts";
import type { TABLE } from "../../server/api/testing/access-table.ts";
import type { Attacked } from "./service.ts";
import { type Outcome, send } from "./send.ts";
import { missionKey, missionOf, orderedWithin, type Scale } from "./campaign-world.ts";

/** A person of a role, or a token. */
export interface CampaignCaller {
  name: string;
  headers: Record<string, string>;
}

interface World {
  scale: Scale;
  database: Database;
  projectId: string;
  environmentId: number;
}

/** The costliest input that a person could think of, without project and environment. */
type Costliest = (world: World) => object | Promise<object>;

const YEAR = { from: "2025-01-01", to: "2025-12-31", by: "Day" };
const nothing: Costliest = () => ({});
const aYear: Costliest = () => YEAR;
/** The largest page of a table, in the order that is costliest to compute. */
const aPage =
  (sort: string): Costliest =>
  () => ({ ...YEAR, table: { sort, limit: 1_000 } });
const largeMission: Costliest = ({ scale }) => ({
  kind: "missions",
  document: JSON.stringify(missionOf(1, { ...scale, description: 9_000 }, 7)),
});
const oneMission: Costliest = () => ({ kind: "missions", key: missionKey(0) });
const keys = ({ missions }: Scale, most: number): string[] => Array.from({ length: Math.min(most, missions) }, (_, at) => missionKey(at));
const failures: Costliest = () => ({ id: null, since: "2025-01-01T00:00:00Z" });
const player: Costliest = () => ({ externalId: "p1" });
/** A rule with this many inputs over history. */
const ruleOf = (inputs: number) => ({ any: Array.from({ length: inputs }, (_, at) => orderedWithin(at + 1)) });
const withRule =
  (inputs: number, more: object): Costliest =>
  ({ scale }) => ({
    kind: "missions",
    document: JSON.stringify({ ...missionOf(0, scale, 7), key: "tried", audience: { rule: ruleOf(inputs) } }),
    ...more,
  });
/** A file of nearly the maximum size. */
function largeFile({ scale }: World): object {
  const all = Array.from({ length: scale.missions }, (_, at) => missionOf(at, scale, 9));
  const most = Math.floor(3_500_000 / JSON.stringify(all[0]).length);
  return { version: 1, missions: all.slice(0, most) };
}
const largeTexts = ({ scale }: World): string =>
  ["kind,key,field,de", ...keys(scale, 10_000).map((key) => `missions,${key},/description,"${"Wort ".repeat(60)}"`)].join("\n");

/** A waiting change request of nearly the maximum size, with other editions of the existing missions. */
async function largeRequest({ scale, database: { sql }, environmentId }: World): Promise<{ id: string }> {
  const [known] = await sql<{ id: string }[]>`select id from change_requests where environment_id = ${environmentId}`;
  if (known !== undefined) return known;
  const itemOf = (at: number) => ({
    kind: "missions",
    key: missionKey(at),
    before: missionOf(at, scale, 1),
    after: missionOf(at, scale, 8),
  });
  const items = Array.from({ length: Math.min(scale.missions, Math.floor(2_000_000 / JSON.stringify(itemOf(0)).length)) }, (_, at) =>
    itemOf(at),
  );
  const subjects = items.map(({ key }) => `missions/${key}`);
  const [made] = await sql<{ id: string }[]>`
    insert into change_requests (environment_id, title, reason, content, subjects, via, actor, editor)
    values (${environmentId}, 'Large', '', ${JSON.stringify(items)}, ${subjects}, 'import', 'ann', 'ann') returning id`;
  return made!;
}

type Path = keyof typeof TABLE;

/** A call for each procedure that is not cheap: a missing one does not compile. */
const COSTLIEST = {
  "status.read": nothing,
  "definitions.compareVersions": () => ({ kind: "missions", key: missionKey(0), from: 0, to: 1 }),
  "definitions.restoreVersion": () => ({ kind: "missions", key: missionKey(0), version: 1, dryRun: true }),
  "definitions.catalogue": nothing,
  "definitions.save": async (world) => ({ ...(await largeMission(world)), isNew: false }),
  "definitions.check": async (world) => ({ ...(await largeMission(world)), isNew: false }),
  "definitions.previewInOther": async (world) => ({ ...(await largeMission(world)), isNew: false }),
  "definitions.scheduleSave": async (world) => ({
    ...(await largeMission(world)),
    revision: null,
    at: new Date(Date.now() + 86_400_000).toISOString(),
  }),
  "definitions.scheduled": nothing,
  "definitions.applyScheduled": () => ({ id: crypto.randomUUID() }),
  "definitions.setActive": async (world) => ({ ...(await oneMission(world)), active: true }),
  "definitions.setActiveOfMany": ({ scale }) => ({ kind: "missions", keys: keys(scale, 200), active: true }),
  "definitions.remove": () => ({ kind: "events", key: "order_placed" }),
  "definitions.uploadImage": () => ({
    bytes: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">${"<g/>".repeat(200_000)}</svg>`).toString("base64"),
  }),
  "definitions.difference": nothing,
  "definitions.divergence": oneMission,
  "definitions.promote": ({ scale }) => ({ chosen: keys(scale, 10_000).map((key) => ({ kind: "missions", key })), dryRun: true }),
  "definitions.texts": () => ({ limit: 200, search: "words of a description" }),
  "definitions.translate": () => ({
    kind: "missions",
    key: missionKey(0),
    pointer: "/name",
    language: "fr",
    before: null,
    after: "Un mot",
  }),
  "definitions.repairLanguage": () => ({ from: "german", to: "de" }),
  "definitions.importTexts": (world) => ({ text: largeTexts(world), dryRun: true }),
  "definitions.promoteAll": () => ({ dryRun: true }),
  "definitions.planFile": (world) => ({ text: JSON.stringify(largeFile(world)) }),
  // A single problem at the end, so that all of it is read and nothing is written.
  "definitions.importFile": (world) => ({ text: JSON.stringify({ ...largeFile(world), segments: [{}] }) }),
  "definitions.saveSettings": () => ({ discovery: { events: false, attributes: false } }),
  "auditLog.list": () => ({ take: 500, parts: "listed" }),
  "auditLog.changes": async ({ database: { sql }, projectId }) => {
    const [row] = await sql<{ id: number }[]>`
      select id from audit_log where project_id = ${projectId} order by pg_column_size(difference) desc nulls last limit 1`;
    return { id: String(row!.id) };
  },
  "auditLog.facets": nothing,
  "events.explain": async ({ database: { sql }, environmentId }) => {
    const [row] = await sql<{ id: string }[]>`
      select e.id from events e join players p using (part, player_id) where p.environment_id = ${environmentId} and p.external_id = 'p1' limit 1`;
    return { player: "p1", eventId: row!.id };
  },
  "events.ofPlayer": () => ({ player: "p1", take: 100 }),
  "events.recentValues": async ({ database: { sql }, environmentId }) => {
    const [row] = await sql<{ key: string }[]>`
      select d.key from events e join definitions d on d.id = e.definition_id where e.environment_id = ${environmentId} limit 1`;
    return { kind: "events", key: row!.key };
  },
  "events.unentered": nothing,
  "work.quarantined": () => ({ take: 100 }),
  "players.get": player,
  "players.standings": player,
  "players.timeline": () => ({ externalId: "p1", limit: 100 }),
  "simulation.run": withRule(200, { player: "p1", scenario: { kind: "History", from: null } }),
  "simulation.membership": () => ({
    document: JSON.stringify({ key: "tried", name: "Tried", rule: ruleOf(1_000) }),
    player: "p1",
  }),
  "simulation.standing": player,
  "simulation.audience": withRule(200, {}),
  "backtests.start": withRule(200, { days: 90, sample: 50_000 }),
  "analytics.overview": nothing,
  "analytics.players": aYear,
  "analytics.events": aPage("amount"),
  "analytics.missions": aPage("median"),
  "analytics.mission": () => ({ ...YEAR, key: missionKey(0) }),
  "analytics.completions": ({ scale }) => ({ keys: keys(scale, 200) }),
  "analytics.stale": nothing,
  "changeRequests.get": largeRequest,
  "changeRequests.document": async (world) => ({ ...(await largeRequest(world)), kind: "missions", key: missionKey(0) }),
  "changeRequests.edit": async (world) => ({ ...(await largeRequest(world)), revision: 999, definition: await largeMission(world) }),
  "changeRequests.approve": async (world) => ({ ...(await largeRequest(world)), revision: 999 }),
  "changeRequests.goAlone": async (world) => ({ ...(await largeRequest(world)), revision: 999, reason: "In a hurry." }),
  "webhooks.countFailed": failures,
  "webhooks.resendFailed": failures,
  "channels.test": () => ({ id: crypto.randomUUID() }),
  "alerts.preview": () => ({
    figure: "Completions",
    kind: "missions",
    key: missionKey(0),
    comparison: "Above",
    basis: "Usual",
    threshold: 3,
    hours: 24,
  }),
  "analytics.effect": () => ({ kind: "missions", key: missionKey(0) }),
  "analytics.points": aPage("name"),
  "analytics.shop": aPage("sold"),
  "analytics.rounds": () => ({ key: "coffee", limit: 100 }),
  "analytics.streaks": aYear,
  "analytics.leaderboards": () => ({ table: { sort: "before", limit: 1_000 } }),
  "analytics.webhooks": aPage("p95"),
} satisfies Partial<Record<Path, Costliest>>;

/** Further costly inputs of the same procedures. */
const MORE: { path: Path; name: string; input: Costliest }[] = [
  { path: "simulation.audience", name: "simulation.audience of 1,000 inputs", input: withRule(1_000, {}) },
  {
    path: "definitions.scheduled",
    name: "definitions.scheduled of one",
    input: () => ({ which: { kind: "missions", key: missionKey(1) } }),
  },
];

/** Downloads of files, which are streamed. */
const FILES = ["definitions.json", "translations.csv", "audit-log.jsonl"];

export interface CampaignCall {
  name: string;
  /** Null for a download. */
  path: Path | null;
  input: Costliest;
}

export const CALLS: readonly CampaignCall[] = [
  ...Object.entries(COSTLIEST).map(([path, input]) => ({ name: path, path: path as Path, input })),
  ...MORE,
  ...FILES.map((name) => ({ name, path: null, input: nothing })),
];

/** The figures of one call, in milliseconds and bytes. */
export interface CampaignFigures {
  caller: string;
  call: string;
  answers: string;
  ms: number;
  /** The longest delay of an unrelated request, which a busy machine causes too. */
  waited: number;
  /** The longest time that the process itself was blocked meanwhile. */
  stall: number;
  bytes: number;
  /** The largest memory seen meanwhile. */
  rss: number;
}

/** Makes this many concurrent calls; `watches`: measures an unrelated request and the process meanwhile. */
export async function measure(
  service: Attacked,
  { name: caller, headers }: CampaignCaller,
  { name: call, path, input }: CampaignCall,
  { scale, atOnce, watches }: { scale: Scale; atOnce: number; watches: boolean },
): Promise<CampaignFigures> {
  const { database, project, port } = service;
  const { projectId, id: environmentId } = project.sandbox;
  const where = { project: project.slug, environment: "sandbox" };
  const json = { ...where, ...(await input({ scale, database, projectId, environmentId })) };
  const one = (): Promise<Outcome> =>
    path === null
      ? send({ port, method: "GET", path: `/rpc/exports/${call}?${new URLSearchParams(where)}`, headers, body: null })
      : send({
          port,
          method: "POST",
          path: `/rpc/${path.replace(".", "/")}`,
          headers: { ...headers, "content-type": "application/json" },
          body: Buffer.from(JSON.stringify({ json })),
        });
  const watch = new AbortController();
  const watched = watches ? watchOthers(service, watch.signal) : { waited: 0, stall: 0, rss: 0 };
  const began = performance.now();
  const outcomes = await Promise.all(Array.from({ length: atOnce }, one));
  const ms = performance.now() - began;
  watch.abort();
  const answers = Map.groupBy(outcomes, ({ status, code }) => `${status}${status === 200 ? "" : ` ${code}`}`);
  return {
    caller,
    call: atOnce === 1 ? call : `${call} ×${atOnce}`,
    ms,
    answers: Array.from(answers, ([answer, { length }]) => (length === 1 ? answer : `${answer} ×${length}`)).join(", "),
    bytes: Math.max(...outcomes.map(({ bytes }) => bytes)),
    ...(await watched),
  };
}

/** Measures an unrelated request and the process until the signal. */
export async function watchOthers(service: Attacked, signal: AbortSignal): Promise<{ waited: number; stall: number; rss: number }> {
  let [waited, stall, rss] = [0, 0, 0];
  await service.figures();
  do {
    const began = performance.now();
    await send({ port: service.port, method: "GET", path: "/v1/openapi.json", headers: {}, body: null });
    waited = Math.max(waited, performance.now() - began);
    const figures = await service.figures();
    [stall, rss] = [Math.max(stall, figures.longestStallSeconds * 1000), Math.max(rss, figures.rss)];
    await delay(10);
  } while (!signal.aborted);
  return { waited, stall, rss };
}
