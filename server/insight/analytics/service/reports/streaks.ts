import { selectSnapshot } from "../../store/snapshots.ts";
import { countedSince, namesOf, type ReportRange, rangeFrame, type ReportContext, shownFrame, sumsOfRange } from "./context.ts";

const MEASURES = ["streak.started", "streak.freezes", "streak.milestone"] as const;

/** How runs begin, how long they last, and how freezes keep them alive. */
export async function reportStreaks(context: ReportContext, range: ReportRange) {
  const frame = rangeFrame(range);
  const { sql, environment, definitions } = context;
  const [shown, sums, names, since] = await Promise.all([
    shownFrame(context, frame),
    sumsOfRange(context, frame, { measures: MEASURES, withDetail: true }),
    namesOf(context, "streaks"),
    countedSince(context, MEASURES),
  ]);
  const rows = definitions.streaks.map(async ({ id, cadence, milestones }) => {
    const [live, survival] = await Promise.all([
      selectSnapshot(sql, environment.id, "LiveRuns", id),
      selectSnapshot(sql, environment.id, "Survival", id),
    ]);
    const lengths = new Set([...milestones.map(({ length }) => length), ...sums.details("streak.milestone", id).map(Number)]);
    return {
      subject: names.subject(id),
      period: cadence,
      started: sums.figure({ measure: "streak.started", subject: id }),
      freezesUsed: sums.figure({ measure: "streak.freezes", subject: id }),
      milestones: [...lengths]
        .sort((a, b) => a - b)
        .map((length) => ({ length, count: sums.figure({ measure: "streak.milestone", subject: id, detail: String(length) }) })),
      live,
      survival: (survival?.buckets ?? []).map(({ from, count }) => ({ length: from, runs: count })),
    };
  });
  return { frame: shown, countedSince: since, rows: await Promise.all(rows) };
}
