import { type Transaction, isTimeout } from "#db/client.ts";
import { loadVersions } from "#server/authoring/definitions/store/versions.ts";
import { type PagedPlayer, playersByKey } from "#server/game/players/service/players.ts";
import { type Effect, EffectSums } from "#server/model/analytics/effect.ts";
import { purgedBefore } from "#server/engine/store/applied.ts";
import { exposureOf } from "#server/model/analytics/exposure.ts";
import type { Leaderboard, Mission, Streak } from "#server/model/definitions/compiled.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { formatInstant, localDate, periodAt, periodFrom, periodsBetween, shiftDate } from "#server/model/kernel/time.ts";
import { periodIdOf } from "#server/model/leaderboards/scores.ts";
import { runIdOf } from "#server/model/streaks/advance.ts";
import { loadAllPeriods } from "#server/engine/store/streaks.ts";
import { type FiguresQuery, NO_FIGURES, selectFigures, selectItems, selectOccurrences, selectStarts } from "../../store/effect.ts";
import type { ReportContext } from "./context.ts";
import { DAY } from "#server/model/kernel/instant.ts";

export const COMPARED_KINDS = ["missions", "streaks", "leaderboards"] as const;

export interface EffectAsked {
  kind: (typeof COMPARED_KINDS)[number];
  key: string;
  /** The event that matters, by key; null: the first that the definition reads. */
  event: string | null;
}

/** The limits of a comparison: players a statement, compared players in all, and time. */
export interface EffectLimits {
  page: number;
  players: number;
  ms: number;
}

const LIMITS: EffectLimits = { page: 250, players: 20_000, ms: 4_000 };
/** Without a share, at most this many days since the definition began are compared with as many before it. */
const MAX_PAIRED_DAYS = 28;
const MAX_VERSIONS = 50;

export interface EffectReport extends Effect {
  /** `Share`: those who may take part against those held out. `Before`: the same players before and since. */
  basis: "Share" | "Before";
  /** The compared days, in RFC 3339: without a share, whole days, at most the first 28; with one, all days until now. */
  from: string;
  to: string;
  days: number;
  /** Events are compared from then on: later than `from` if earlier ones are no longer kept, null if they are not compared. */
  eventsFrom: string | null;
  /** Whether all players are included; otherwise a random sample. */
  isWhole: boolean;
  /** The key of the event that matters. */
  event: string | null;
}

/**
 * The effect of a mission, streak or board. With a share in the audience, the players it lets in are compared with those held out, whether
 * they took part or not, so that only chance divides them; without one, the same players before and since. It compares a limited number of
 * players, the first ones by key, which are a random sample. Throws OperatorError for an unknown definition or event.
 */
export async function reportEffect(
  tx: Transaction,
  context: ReportContext,
  asked: EffectAsked,
  limits: EffectLimits = LIMITS,
): Promise<EffectReport> {
  const { definitions, environment, now } = context;
  const { timeZone } = environment;
  const found = (definitions[asked.kind] as readonly (Mission | Streak | Leaderboard)[]).find(({ key }) => key === asked.key);
  if (found === undefined) throw new OperatorError("There is no such definition.");
  const event = eventOf(context, found, asked.event);
  const exposure = "audience" in found ? exposureOf(found.audience.rule) : null;
  const window = "window" in found ? found.window : { startsAt: null, endsAt: null };
  const ended = Math.min(now, window.endsAt ?? now);
  const began = Math.max(found.createdAt, window.startsAt ?? 0, await effectiveSince(tx, context, asked, exposure !== null));
  const first = periodAt(began, timeZone, "Day");
  const from = first.startsAt === began ? began : first.endsAt;
  // The same players are compared by whole days: today has only begun, and the day that it would be compared with is over.
  const to = exposure === null ? Math.min(startOfDay(ended, timeZone), startOfDay(from, timeZone, MAX_PAIRED_DAYS)) : ended;
  const days = Math.max(
    0,
    exposure === null ? periodsBetween("Day", localDate(from, timeZone), localDate(to, timeZone)) : (to - from) / DAY,
  );
  const untilEnd = ((window.endsAt ?? Infinity) - now) / DAY;
  // The day on which the definition began belongs to neither.
  const toBefore = first.startsAt;
  const fromBefore = startOfDay(toBefore, timeZone, -Math.ceil(days));
  // The retention setting has deleted the events received before.
  const purged = (await purgedBefore(tx, environment.id)) ?? 0;
  const areAllKept = purged <= (exposure === null ? fromBefore : from);
  const eventsFrom = areAllKept ? from : exposure === null || purged >= to ? null : purged;
  const query = (begin: number, end: number): FiguresQuery => ({
    from: begin,
    eventsFrom: exposure === null ? begin : (eventsFrom ?? begin),
    to: end,
    fromDay: localDate(begin, timeZone),
    toDay: localDate(end - 1, timeZone),
    eventId: event?.id ?? null,
    definitionId: found.id,
  });
  const measures = (["chosen", "activeDays", "events", "points", "purchases"] as const).filter(
    (measure) => (measure !== "chosen" || event !== null) && (eventsFrom !== null || (measure !== "chosen" && measure !== "events")),
  );
  const sums = new EffectSums(exposure, measures);
  const add = async (all: readonly PagedPlayer[]) => {
    // Before they were known, players could do nothing: their first days would look like an effect.
    const page = exposure === null ? all.filter(({ createdAt }) => createdAt <= fromBefore) : all;
    if (page.length === 0) return 0;
    const since = await selectFigures(tx, page, query(from, to));
    const items = await itemsOf(tx, asked.kind, found.id, page, { from, to });
    const before = exposure === null ? await selectFigures(tx, page, query(fromBefore, toBefore)) : null;
    for (const { playerId, externalId } of page) {
      const own = { ...(since.get(playerId) ?? NO_FIGURES), paidItems: items.get(playerId) ?? 0 };
      sums.add(externalId, own, before?.get(playerId) ?? NO_FIGURES);
    }
    return page.length;
  };
  return {
    basis: exposure === null ? "Before" : "Share",
    from: formatInstant(Math.min(from, to)),
    to: formatInstant(to),
    days: Math.floor(days),
    eventsFrom: eventsFrom === null ? null : formatInstant(eventsFrom),
    isWhole: days === 0 || (await eachPage(tx, environment.id, limits, add)),
    event: event?.key ?? null,
    ...sums.result({ days, left: Math.min(untilEnd, exposure === null ? MAX_PAIRED_DAYS - days : Infinity) }),
  };
}

/** The start of an instant's day, or of the one that is some days later. */
const startOfDay = (instant: number, timeZone: string, later = 0): number =>
  periodFrom(shiftDate(localDate(instant, timeZone), later), "Day", timeZone).startsAt;

const SOURCE_TYPES = { missions: "Mission", streaks: "StreakMilestone", leaderboards: "Leaderboard" } as const;

/** The quantity of items that a definition paid to some players between two instants, by player. */
async function itemsOf(
  tx: Transaction,
  kind: EffectAsked["kind"],
  id: number,
  page: readonly PagedPlayer[],
  between: Pick<FiguresQuery, "from" | "to">,
): Promise<ReadonlyMap<string, number>> {
  const rows = await selectItems(tx, page, SOURCE_TYPES[kind], between);
  const players = new Set(rows.map(({ playerId }) => playerId));
  const paid = page.filter(({ playerId }) => players.has(playerId));
  const own = await sourcesOf(tx, kind, id, { paid, sources: rows.map(({ sourceId }) => sourceId) });
  const sums = new Map<string, number>();
  for (const { playerId, sourceId, quantity } of rows) if (own.has(sourceId)) sums.set(playerId, (sums.get(playerId) ?? 0) + quantity);
  return sums;
}

/** Which of the sources of items paid to some players are a definition's. Items name their source, not the definition. */
async function sourcesOf(
  tx: Transaction,
  kind: EffectAsked["kind"],
  id: number,
  { paid, sources }: { paid: readonly PagedPlayer[]; sources: readonly string[] },
): Promise<ReadonlySet<string>> {
  if (paid.length === 0) return new Set();
  switch (kind) {
    case "missions":
      return new Set(await selectOccurrences(tx, paid, id, sources));
    case "streaks": {
      // A run began with one of these periods. It may have joined another run since, so the stored runs do not suffice.
      const keys = paid.map(({ part, playerId }) => ({ part, playerId, streakId: id }));
      return new Set((await loadAllPeriods(tx, keys)).map(({ playerId, start }) => runIdOf({ playerId }, { id }, { origin: start })));
    }
    case "leaderboards":
      return new Set((await selectStarts(tx, id)).map((start) => periodIdOf(id, start)));
  }
}

/**
 * Reads players page by page until the limits are reached; returns whether these were all. `add` returns how many it compared: those left
 * out, who may be most players of a growing project, only take the time of reading their keys.
 */
async function eachPage(
  tx: Transaction,
  environmentId: number,
  { page, players: most, ms }: EffectLimits,
  add: (players: readonly PagedPlayer[]) => Promise<number>,
): Promise<boolean> {
  const until = performance.now() + ms;
  let last: PagedPlayer | null = null;
  for (let left = most; left > 0 && performance.now() < until;) {
    const players: PagedPlayer[] = await playersByKey(tx, environmentId, last, page);
    try {
      left -= await tx.savepoint(() => add(players));
    } catch (error) {
      // The players read so far are a sample as well.
      if (isTimeout(error)) return false;
      throw error;
    }
    if (players.length < page) return true;
    last = players.at(-1)!;
  }
  return (await playersByKey(tx, environmentId, last, 1)).length === 0;
}

/** The chosen event, or the first that the definition reads; null if it reads none. Throws OperatorError. */
function eventOf({ definitions }: ReportContext, found: Mission | Streak | Leaderboard, chosen: string | null) {
  const named = (id: number | null) => {
    const event = id === null ? undefined : definitions.eventsById.get(id);
    return event === undefined ? null : { id: event.id, key: event.key };
  };
  if (chosen !== null) {
    const event = definitions.eventsByKey.get(chosen);
    if (event === undefined) throw new OperatorError("There is no such event.");
    return named(event.id);
  }
  if ("criterion" in found) return named(found.criterion.definitionId);
  if ("objectives" in found) {
    const ids = found.objectives.flatMap(({ criteria }) => criteria.flatMap((one) => (one.source === "Event" ? [one.definitionId] : [])));
    return named(ids[0] ?? null);
  }
  return named(found.definitionId);
}

/**
 * When the definition was first switched on and, with a share, its audience last changed, epoch milliseconds; 0 if that is its creation.
 * Versions are dated in real time, which says nothing on a moved clock: there the creation counts.
 */
async function effectiveSince(
  tx: Transaction,
  { environment, now }: ReportContext,
  { kind, key }: EffectAsked,
  hasShare: boolean,
): Promise<number> {
  if (environment.clockOffsetMs !== 0) return 0;
  const versions = await loadVersions(tx, { environmentId: environment.id, kind, key }, 2 ** 31 - 1, MAX_VERSIONS);
  const audienceIn = ({ body }: (typeof versions)[number]) => writeJson((body as { audience?: unknown } | null)?.audience ?? null);
  const [newest] = versions;
  if (newest === undefined) return 0;
  const firstOn = versions.findLast(({ active }) => active === true);
  const since = firstOn === versions.at(-1) ? 0 : (firstOn?.at ?? now);
  if (!hasShare) return since;
  const other = versions.findIndex((one) => audienceIn(one) !== audienceIn(newest));
  if (other !== -1) return Math.max(since, versions[other - 1]!.at);
  // The first version is the creation, which has an instant of its own. Of more versions than are read, the oldest one that was counts.
  return Math.max(since, versions.length < MAX_VERSIONS ? 0 : versions.at(-1)!.at);
}
