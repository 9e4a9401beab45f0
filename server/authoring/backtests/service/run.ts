import { setTimeout as delay } from "node:timers/promises";
import { type Database, readOnly, type Transaction } from "#db/client.ts";
import { environmentNow } from "#server/engine/environment.ts";
import { definitionsOf, loadStored } from "#server/engine/definitions.ts";
import { inTurns } from "#server/engine/turns.ts";
import { type BacktestedKind, type BacktestResult, SAMPLE } from "#server/model/backtests/result.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import type { Steps } from "#server/model/kernel/steps.ts";
import { formatted } from "#server/model/kernel/thousands.ts";
import { formatInstant, localDate, periodAt } from "#server/model/kernel/time.ts";
import { loadPreview } from "../../definitions/service/preview.ts";
import { type Documents, readDocument } from "../../definitions/service/read-one.ts";
import { notesOn } from "../notes.ts";
import type { Outcome, Playable, Subject } from "../play.ts";
import { type BacktestedOne, playableOf, savedOf, tallyContext } from "../playable.ts";
import type { Entry } from "../shapes.ts";
import { selectGaps } from "../store/history.ts";
import { Measures, type Stratum, Tally } from "../tally.ts";
import { drawSample, type Sample } from "./sample.ts";
import { type Read, type Reading, readSubjects } from "./subjects.ts";
import { DAY } from "#server/model/kernel/instant.ts";

export interface Backtest {
  kind: BacktestedKind;
  document: string;
  along: Documents;
  days: number;
  entry: Entry;
  sample: number;
}

export interface Running {
  /** Called with the progress several times a second; returning false ends the backtest. */
  onProgress?(done: number, planned: number): Promise<boolean>;
  /** After this time it ends with the players that were played so far. */
  maxMs?: number;
  /** The most players of the first sample. */
  maxCounted?: number;
}

/** The backtest was cancelled, or another process has taken it over. */
export class Ended extends Error {}

/** Limited, because an open snapshot keeps vacuum from removing dead rows. */
const MAX_MS = 120_000;
/** Players per page: few enough for the statement timeout. */
const PAGE = 200;
const PROGRESS_MS = 300;
/** The pause after each page, as a fraction of the page's time, so that folds and requests get CPU and database too. */
const REST = 0.25;

/**
 * Plays a draft and the saved definition for a sample of real players over the last days, with the engine's own rules. It reads one
 * snapshot and writes nothing. Throws OperatorError if the draft has problems, or is of a board with too many players or facts; and Ended.
 */
export async function runBacktest(
  database: Database,
  environment: Environment,
  asked: Backtest,
  running: Running = {},
): Promise<BacktestResult> {
  const read = await readDocument(asked.document, asked.along);
  if ("problems" in read) throw new OperatorError(...read.problems.map(({ message }) => message));
  return readOnly(database, async (tx) => {
    // No parallel workers, so that a backtest uses one process of the database.
    await tx`select set_config('max_parallel_workers_per_gather', '0', true)`;
    const to = await environmentNow(tx, environment);
    const { timeZone } = environment;
    const previewed = await loadPreview(tx, environment, to, asked.kind, read.document, read.along);
    if ("problems" in previewed)
      throw new OperatorError(...previewed.problems.map(({ pointer, message }) => (pointer === "" ? message : `${pointer}: ${message}`)));
    const wished = periodAt(to - asked.days * DAY, timeZone, "Day").startsAt;
    const gaps = await selectGaps(tx, environment.id, wished);
    const from = Math.min(Math.max(wished, gaps.purgedBefore ?? wished), to - DAY);
    const window = { from, to, entry: asked.entry };
    const { stored, definitions, id } = previewed;
    const isBoard = asked.kind === "leaderboards";
    const draft = playableOf(previewed, asked.kind, id, window);
    const today = await savedOne(tx, environment, asked.kind, previewed, draft);
    const saved = today === null ? null : playableOf(today, asked.kind, id, window);
    const sample = await drawSample(
      tx,
      environment.id,
      { since: localDate(from, timeZone), days: asked.days, most: isBoard ? SAMPLE.max : asked.sample },
      running.maxCounted,
    );
    if (isBoard && sample.players.length < sample.population)
      throw new OperatorError(
        `Prizes depend on everybody's rank. This environment has more than the ${formatted(SAMPLE.max)} players that can be ranked together.`,
      );
    const context = tallyContext(stored, environment, window);
    const tallies: Tallies = {
      draft: new Tally({ ...context, labels: draft.labels }),
      today: saved === null ? null : new Tally({ ...context, labels: saved.labels }),
      difference: new Measures(),
    };
    const reading = { environmentId: environment.id, definitions, from, to, ...readingOf(saved === null ? [draft] : [draft, saved]) };
    const played = await playAll(tx, sample, reading, { draft, saved, tallies }, running);
    if (isBoard && !played.isWhole) throw new OperatorError("Ranking everybody took too long. Try fewer days.");
    const { strata } = played;
    const sampled = strata.reduce((sum, one) => sum + one.sampled, 0);
    const differenceIn = (measure: string) => tallies.difference.total(measure, strata, sample.first, true);
    const periods = draft.periods === undefined ? null : { draft: draft.periods, today: saved?.periods ?? 0 };
    return {
      from: formatInstant(from),
      to: formatInstant(to),
      days: asked.days,
      players: sample.population,
      played: sampled,
      isExact: sample.first === null && sampled === sample.population,
      strata: sample.strata.map(({ label, size }, at) => ({ activeDays: label, players: Math.round(size), played: strata[at]!.sampled })),
      events: played.facts,
      definitionsVersion: environment.definitionsVersion,
      periods,
      draft: tallies.draft.result(strata, sample.first),
      today: tallies.today?.result(strata, sample.first) ?? null,
      difference: saved === null ? null : { completions: differenceIn("completions"), points: differenceIn("points") },
      notes: notesOn({ ...window, wished, zone: timeZone, gaps, sample, ...played, one: draft.one, periods }),
    };
  });
}

/** The saved definitions; null if the definition is new, or the draft does not change it. */
async function savedOne(
  tx: Transaction,
  environment: Environment,
  kind: BacktestedKind,
  { isStored, id }: { isStored: boolean; id: number },
  { one }: { one: BacktestedOne },
) {
  if (!isStored) return null;
  const definitions = await definitionsOf(tx, environment);
  const known = savedOf(definitions, kind, id);
  return known === undefined || writeJson(known) === writeJson(one.given)
    ? null
    : { definitions, stored: await loadStored(tx, environment.id) };
}

function readingOf(playables: readonly Playable[]): Pick<Reading, "reads" | "asks" | "asOfToday" | "readsLedger" | "readsPurchasesOf"> {
  return {
    reads: [...new Set(playables.flatMap(({ reads }) => reads))],
    asks: [...new Set(playables.flatMap(({ asks }) => asks))],
    asOfToday: playables.flatMap(({ asOfToday }) => asOfToday),
    readsLedger: playables.some(({ readsLedger }) => readsLedger),
    readsPurchasesOf: playables.find((one) => one.readsPurchasesOf !== undefined)?.readsPurchasesOf ?? null,
  };
}

interface Tallies {
  draft: Tally;
  today: Tally | null;
  difference: Measures;
}

interface Players {
  draft: Playable;
  saved: Playable | null;
  tallies: Tallies;
}

export interface Played extends Pick<Read, "facts" | "late"> {
  strata: Stratum[];
  /** Players who are left out because they have too many facts. */
  leftOut: number;
  /** Whether the whole sample was played in time. */
  isWhole: boolean;
}

async function playAll(
  tx: Transaction,
  { players, strata }: Sample,
  reading: Reading,
  variants: Players,
  { onProgress, maxMs = MAX_MS }: Running,
): Promise<Played> {
  const played: Played = { strata: strata.map(({ size }) => ({ size, sampled: 0 })), facts: 0, late: 0, leftOut: 0, isWhole: true };
  const until = performance.now() + maxMs;
  let toldAt = -Infinity;
  let size = PAGE;
  const kept: Outcomes[] = [];
  for (let at = 0; at < players.length;) {
    const began = performance.now();
    if (began > until) {
      played.isWhole = false;
      break;
    }
    if (began - toldAt > PROGRESS_MS) {
      toldAt = began;
      if ((await onProgress?.(at, players.length)) === false) throw new Ended();
    }
    const page = players.slice(at, at + size);
    const read = await readSubjects(tx, page, reading);
    if (read === null) {
      if (page.length === 1) {
        played.leftOut++;
        at++;
      }
      size = Math.ceil(page.length / 4);
      continue;
    }
    await inTurns(play(read, variants, played, kept));
    at += page.length;
    size = Math.min(PAGE, size * 2);
    await delay((performance.now() - began) * REST);
  }
  if (variants.draft.close !== undefined) await inTurns(closeAll(variants, kept));
  await onProgress?.(players.length, players.length);
  return played;
}

/** Players' outcomes under the draft, and under the saved definition. */
interface Outcomes {
  stratum: number;
  draft: Outcome;
  saved: Outcome | null;
}

function* play(read: Read, variants: Players, played: Played, kept: Outcomes[]): Steps<void> {
  const { draft, saved } = variants;
  for (const { stratum, ...subject } of read.subjects) {
    const outcomes = { stratum, draft: draft.play(asReadBy(draft, subject)), saved: saved?.play(asReadBy(saved, subject)) ?? null };
    if (draft.close === undefined) addUp(variants, outcomes);
    else kept.push(outcomes);
    played.strata[stratum]!.sampled++;
    yield;
  }
  played.facts += read.facts;
  played.late += read.late;
}

/** A variant is played without the events that only the other one reads, since players look before each event that is played. */
const asReadBy = ({ reads }: Playable, subject: Subject): Subject => ({
  ...subject,
  facts: subject.facts.filter(({ definitionId }) => reads.includes(definitionId)),
});

/** Outcomes that depend on other players are added up at the end. */
function* closeAll(variants: Players, kept: readonly Outcomes[]): Steps<void> {
  yield* variants.draft.close?.() ?? [];
  yield* variants.saved?.close?.() ?? [];
  for (const outcomes of kept) {
    addUp(variants, outcomes);
    yield;
  }
}

function addUp({ tallies }: Players, { stratum, draft, saved }: Outcomes): void {
  tallies.draft.add(stratum, draft);
  if (saved === null) return;
  tallies.today?.add(stratum, saved);
  const pointsOf = (one: Outcome) => one.completions.reduce((sum, { points }) => sum + points, 0);
  tallies.difference.add(stratum, "completions", draft.completions.length - saved.completions.length);
  tallies.difference.add(stratum, "points", pointsOf(draft) - pointsOf(saved));
}
