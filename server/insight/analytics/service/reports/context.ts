import type { Sql } from "#db/client.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { pickText } from "#server/model/kernel/texts.ts";
import { formatInstant, localDate } from "#server/model/kernel/time.ts";
import { generationOf } from "#server/game/segments/service/read.ts";
import { boundsOf, type Division, type Frame, frameOf, MAX_PERIODS, wholesOf } from "#server/model/analytics/frame.ts";
import { epochOf } from "../../store/counting.ts";
import {
  type NamedDefinition,
  type Population,
  type SumsQuery,
  firstDayOf,
  selectNames,
  selectProgress,
  selectSubjects,
  selectSums,
} from "../../store/sums.ts";
import { Sums } from "#server/model/analytics/sums.ts";
import { definitionsOf } from "#server/engine/definitions.ts";

/** The requested days, both inclusive, and how they are divided. */
export interface ReportRange {
  from: string;
  to: string;
  by: Division;
}

/** What every report reads first. */
export interface ReportContext {
  sql: Sql;
  environment: Environment;
  definitions: Awaited<ReturnType<typeof definitionsOf>>;
  population: Population;
  /** The segment that the report covers; null for all players. */
  segment: ReportSegment | null;
  /** On the environment's clock, epoch milliseconds. */
  now: number;
  /** Today's date in the project's zone. */
  today: string;
}

/** A segment as of its last complete count; a new one has no members until its first count. */
export interface ReportSegment {
  key: string;
  name: string;
  counted: { members: number; at: number } | null;
}

/** Throws OperatorError if no segment has this key, or it is switched off and so not counted. */
export async function openReport(
  sql: Sql,
  environment: Environment,
  now: number,
  segmentKey: string | null = null,
): Promise<ReportContext> {
  const [definitions, epoch] = await Promise.all([definitionsOf(sql, environment), epochOf(sql, environment.id)]);
  const { id: environmentId, timeZone } = environment;
  const context = { sql, environment, definitions, now, today: localDate(now, timeZone) };
  if (segmentKey === null) return { ...context, segment: null, population: { environmentId, epoch, timeZone, segment: null } };
  const found = await generationOf(sql, environment, segmentKey);
  if (found === null) throw new OperatorError("There is no such segment, or it is off: only segments that are on are counted.");
  const { id, generation, counted } = found;
  const name = (await selectNames(sql, environmentId, ["segments"])).get(id)?.name ?? null;
  const segment = { key: segmentKey, name: name === null ? segmentKey : pickText(name, null), counted };
  return { ...context, segment, population: { environmentId, epoch, timeZone, segment: { id, generation } } };
}

/** Throws OperatorError for a range with no days or too many, or at the ends of the calendar. */
export function rangeFrame({ from, to, by }: ReportRange): Frame {
  const frame = frameOf(from, to, by);
  if (frame === null)
    throw new OperatorError(
      `Choose a range of the years 1 to 9999 that ends after it begins, with at most ${MAX_PERIODS} days, weeks or months.`,
    );
  return frame;
}

export const countingProgress = ({ sql, population }: ReportContext): Promise<{ done: number; total: number }> =>
  selectProgress(sql, population.environmentId, population.epoch);

/** The frame as a report shows it. */
export const shownFrame = async (context: ReportContext, frame: Frame) => ({
  timeZone: context.environment.timeZone,
  ...frame,
  today: context.today,
  segment: context.segment && shownSegment(context.segment),
  progress: await countingProgress(context),
});

const shownSegment = ({ key, name, counted }: ReportSegment) => ({
  key,
  name,
  counted: counted && { members: counted.members, at: formatInstant(counted.at) },
});

type Query = Omit<SumsQuery, "bounds" | "end">;

async function read({ sql, population }: ReportContext, query: SumsQuery): Promise<Sums> {
  return new Sums(await selectSums(sql, population, query), query.bounds.length);
}

export const sumsByPeriod = (context: ReportContext, frame: Frame, query: Query): Promise<Sums> =>
  read(context, { ...query, ...boundsOf(frame) });

/** Sums of the range and of the range before, each as a whole. */
export const sumsOfRange = (context: ReportContext, frame: Frame, query: Query): Promise<Sums> =>
  read(context, { ...query, ...wholesOf(frame) });

/** The definitions with any of these measures in the range or the one before. */
export const subjectsOfRange = ({ sql, population }: ReportContext, frame: Frame, measures: SumsQuery["measures"]): Promise<number[]> =>
  selectSubjects(sql, population, { measures, ...wholesOf(frame) });

/** The first day with any of these measures. */
export const countedSince = ({ sql, population }: ReportContext, measures: SumsQuery["measures"]): Promise<string | null> =>
  firstDayOf(sql, population, measures);

/** A definition as a report names it; a deleted one has only its id. */
export interface Subject {
  id: number;
  key: string | null;
  name: string | null;
}

/** Definitions of some kinds by id, as reports name them. */
export class Names {
  readonly #rows: Map<number, NamedDefinition>;

  constructor(rows: Map<number, NamedDefinition>) {
    this.#rows = rows;
  }

  subject(id: number): Subject {
    const row = this.#rows.get(id);
    if (row === undefined) return { id, key: null, name: null };
    return { id, key: row.key, name: row.name === null ? row.key : pickText(row.name, null) };
  }

  /** The name that tables sort by; null for a deleted definition. */
  name(id: number): string | null {
    return this.subject(id).name;
  }

  isActive(id: number): boolean {
    return this.#rows.get(id)?.active === true;
  }

  kindOf(id: number): string | undefined {
    return this.#rows.get(id)?.kind;
  }

  active(): number[] {
    return [...this.#rows.values()].flatMap(({ id, active }) => (active ? [id] : []));
  }
}

export const namesOf = async ({ sql, environment }: ReportContext, ...kinds: string[]): Promise<Names> =>
  new Names(await selectNames(sql, environment.id, kinds));

/** The most definitions that a report offers to choose from. Those of the others are on the definitions' own pages. */
const MAX_CHOICES = 200;

/** The chosen definition, by its key or else the first, and those to choose from. */
export function choicesOf<Definition extends { id: number; key: string }>(
  definitions: readonly Definition[],
  names: Names,
  key: string | null,
): { chosen: Definition | null; choices: Subject[] } {
  const chosen = definitions.find((one) => one.key === key) ?? definitions[0] ?? null;
  return { chosen, choices: definitions.slice(0, MAX_CHOICES).map(({ id }) => names.subject(id)) };
}
