import { selectSnapshot } from "../../store/snapshots.ts";
import { choicesOf, countedSince, namesOf, type ReportRange, rangeFrame, type ReportContext, shownFrame, sumsOfRange } from "./context.ts";

const MEASURES = ["streak.started", "streak.freezes", "streak.milestone"] as const;

/** How the runs of a streak begin, how long they last, and how freezes keep them alive: of the streak with a key, or else the first. */
export async function reportStreaks(context: ReportContext, { of: key, ...range }: ReportRange & { of: string | null }) {
  const frame = rangeFrame(range);
  const { sql, environment, definitions } = context;
  const [shown, names, since] = await Promise.all([
    shownFrame(context, frame),
    namesOf(context, "streaks"),
    countedSince(context, MEASURES),
  ]);
  const { chosen, choices } = choicesOf(definitions.streaks, names, key);
  if (chosen === null) return { frame: shown, countedSince: since, choices, row: null };
  const { id, cadence, milestones } = chosen;
  const [sums, live, survival] = await Promise.all([
    sumsOfRange(context, frame, { measures: MEASURES, withDetail: true, subjects: [id] }),
    selectSnapshot(sql, environment.id, "LiveRuns", id),
    selectSnapshot(sql, environment.id, "Survival", id),
  ]);
  const lengths = new Set([...milestones.map(({ length }) => length), ...sums.details("streak.milestone").map(Number)]);
  const row = {
    subject: names.subject(id),
    period: cadence,
    started: sums.figure({ measure: "streak.started" }),
    freezesUsed: sums.figure({ measure: "streak.freezes" }),
    milestones: [...lengths]
      .sort((a, b) => a - b)
      .map((length) => ({ length, count: sums.figure({ measure: "streak.milestone", detail: String(length) }) })),
    live,
    survival: (survival?.buckets ?? []).map(({ from, count }) => ({ length: from, runs: count })),
  };
  return { frame: shown, countedSince: since, choices, row };
}
