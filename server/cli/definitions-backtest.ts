import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import {
  BACKTEST_WORDS,
  BACKTESTED_KINDS,
  type BacktestedKind,
  type BacktestResult,
  DAYS,
  figuresOf,
  SAMPLE,
  type VariantResult,
} from "../model/backtests/result.ts";
import type { Kind } from "../model/definitions/contract.ts";
import { namedBy } from "../model/definitions/request-items.ts";
import { writeJson } from "../model/kernel/json.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { formatted } from "../model/kernel/thousands.ts";
import { isJsonObject } from "../model/kernel/values.ts";
import type { Estimate } from "../model/statistics/sampling.ts";
import type { Cli } from "./context.ts";
import { problemLine, readSource } from "./definition-files.ts";
import { note, table } from "./output.ts";
import type { EnvironmentRef, Service, Where } from "./service.ts";

interface BacktestOptions extends Where {
  days: string;
  entry: string;
  sample: string;
}

const POLL_MS = 500;
/** The longest wait for a backtest to begin: a worker may be busy with another for two minutes, and a service without one never begins it. */
const PATIENCE_MS = 5 * 60_000;

/** `definitions backtest`: replays the history of an environment's players with a draft, in the service, and prints its effects. */
export function backtestCommand(command: Command, cli: Cli): void {
  command
    .argument("<path>", "a definitions file, or a folder of them")
    .argument("[definition]", "<kind>/<key>, of missions, streaks, marketplaceItems or leaderboards; may be left out if there is only one")
    .option("--days <days>", `days of history, ${rangeText(DAYS)}`, "30")
    .option(
      "--entry <entry>",
      "window-start: all players enter when the days begin; first-event: with the first event that it counts",
      "window-start",
    )
    .option("--sample <players>", `the most players in the sample, ${rangeText(SAMPLE)}`, "10000")
    .action(async (path: string, wanted: string | undefined, options: BacktestOptions) => {
      const { document, locate } = readSource(path);
      const { kind, entry: draft } = draftIn(document, wanted);
      const asked = {
        kind,
        document: writeJson(draft),
        days: numberOf(options.days, "--days", DAYS),
        sample: numberOf(options.sample, "--sample", SAMPLE),
        entry: entryOf(options.entry),
      };
      const result = await cli.call(async (service) => {
        const place = await service.where(options);
        const along = await newOnesNamed(service, place, document, { kind, draft });
        const { problems, id } = await service.rpc.backtests.start({ ...place, ...asked, along });
        if (id === null) throw new OperatorError(...problems.map((problem) => problemLine(problem, locate)));
        return whenDone(service, place, id);
      });
      cli.output.data(result, textOf(kind, result));
      for (const one of result.notes) note(one);
    });
}

const rangeText = ({ min, max }: typeof DAYS): string => `${min} to ${max}`;

const numberOf = (text: string, option: string, range: typeof DAYS): number => {
  const number = /^\d+$/.test(text) ? Number(text) : NaN;
  if (number >= range.min && number <= range.max) return number;
  throw new OperatorError(`${option} must be a whole number, ${rangeText(range)}, not "${text}".`);
};

function entryOf(text: string): "WindowStart" | "FirstEvent" {
  if (text === "window-start") return "WindowStart";
  if (text === "first-event") return "FirstEvent";
  throw new OperatorError(`--entry must be window-start or first-event, not "${text}".`);
}

type Entry = Record<string, unknown> & { key: string };

const entriesOf = (document: unknown, kind: string): Entry[] => {
  const list = isJsonObject(document) ? document[kind] : null;
  return Array.isArray(list) ? list.filter((one): one is Entry => isJsonObject(one) && typeof one["key"] === "string") : [];
};

function draftIn(document: unknown, wanted: string | undefined): { kind: BacktestedKind; entry: Entry } {
  const all = BACKTESTED_KINDS.flatMap((kind) => entriesOf(document, kind).map((entry) => ({ kind, entry })));
  const found = wanted === undefined ? all : all.filter(({ kind, entry }) => `${kind}/${entry.key}` === wanted);
  if (found.length === 1) return found[0]!;
  if (wanted !== undefined)
    throw new OperatorError(`The files have no ${wanted}. Missions, streaks, marketplaceItems and leaderboards can be backtested.`);
  throw new OperatorError(
    all.length === 0
      ? "The files have no mission, streak, listing or leaderboard."
      : "Say which one: <kind>/<key>, such as missions/<key>.",
  );
}

/** The definitions of the files that the environment does not have and the draft needs. */
async function newOnesNamed(
  service: Service,
  place: EnvironmentRef,
  document: unknown,
  { kind: draftKind, draft }: { kind: BacktestedKind; draft: Entry },
): Promise<{ kind: Kind; document: string }[]> {
  const present = await service.definitions(place, false);
  const lists = isJsonObject(document) ? (Object.keys(document) as Kind[]) : [];
  const added = lists.flatMap((kind) => {
    const known = new Set(entriesOf(present, kind).map(({ key }) => key));
    return entriesOf(document, kind)
      .filter((one) => one !== draft && !known.has(one.key))
      .map((after) => ({ kind, key: after.key, after }));
  });
  return namedBy({ kind: draftKind, key: draft.key, after: draft }, added).map(({ kind, after }) => ({ kind, document: writeJson(after) }));
}

async function whenDone({ rpc }: Service, place: EnvironmentRef, id: string): Promise<BacktestResult> {
  const began = performance.now();
  for (let noted = 0; ; await delay(POLL_MS)) {
    const { status, progress, error, result } = await rpc.backtests.get({ ...place, id });
    if (result !== null) return result;
    if (status === "Failed") throw new OperatorError(...(error ?? "It failed.").split("\n"));
    if (status === "Cancelled") throw new OperatorError("The backtest was cancelled.");
    if (status === "Waiting" && performance.now() - began > PATIENCE_MS) {
      await rpc.backtests.cancel({ ...place, id });
      throw new OperatorError(
        "No worker of the service has taken the backtest within five minutes. Start one, or try again when other backtests are done.",
      );
    }
    if (progress >= noted + 0.25) note(`${Math.round((noted = progress) * 100)}% …`);
  }
}

/** "1,200 (1,100 to 1,300)"; the number alone where it is exact. */
function estimateText({ value, low, high }: Estimate): string {
  const shown = (number: number) => formatted(Math.abs(number) < 10 ? Math.round(number * 10) / 10 : Math.round(number));
  return low === high ? shown(value) : `${shown(value)} (${shown(low)} to ${shown(high)})`;
}

const DAY_MS = 24 * 60 * 60_000;
const durationText = (ms: number): string => (ms < DAY_MS ? `${(ms / 3_600_000).toFixed(1)} hours` : `${(ms / DAY_MS).toFixed(1)} days`);

function textOf(kind: BacktestedKind, result: BacktestResult): string {
  const { draft, today, players, played, isExact, from, to } = result;
  const variants = [draft, ...(today === null ? [] : [today])];
  const stops = [...new Set(variants.flatMap((one) => one.stops.map(({ label }) => label)))];
  const ofStop = ({ stops: own }: VariantResult, label: string) => own.find((stop) => stop.label === label)?.players;
  const rows = [
    ...figuresOf(kind, result).map(({ label, estimates, unit }) => [label, ...estimates.map((one) => estimateText(one) + unit)]),
    ...(variants.every(({ timeToComplete }) => timeToComplete === null)
      ? []
      : [["Time to complete, median", ...variants.map(({ timeToComplete: time }) => (time === null ? "–" : durationText(time.median)))]]),
    ...stops.map((label) => [
      `${BACKTEST_WORDS[kind].stops}: ${label}`,
      ...variants.map((one) => estimateText(ofStop(one, label) ?? { value: 0, low: 0, high: 0 })),
    ]),
  ];
  const headings = ["", "draft", ...(today === null ? [] : ["today"])];
  const basis = isExact ? `all ${formatted(players)} players` : `${formatted(played)} of about ${formatted(players)} players`;
  // Instants, since the project's days are not those of UTC.
  return `${from} to ${to}, ${basis}\n${table(headings, rows)}`;
}
