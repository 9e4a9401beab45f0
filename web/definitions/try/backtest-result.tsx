import type { Estimate } from "#server/model/statistics/sampling.ts";
import { BACKTEST_WORDS, type BacktestedKind, figuresOf } from "#server/model/backtests/result.ts";
import type { Backtest, BacktestVariant } from "#web/client/service.tsx";
import { formatted, plural } from "#server/model/kernel/thousands.ts";
import { durationWords } from "../../analytics/words.ts";
import { FigureTable } from "../../components/figure-table.tsx";
import { Notes, Notice } from "../../components/surface.tsx";
import { estimateWords, headlineOf, intervalWords, roundedTo, signed } from "./backtest-words.ts";

type Result = NonNullable<Backtest["result"]>;

/** The results of a draft, beside those of the saved definition if they differ. */
export function BacktestResult({ kind, result }: { kind: BacktestedKind; result: Result }) {
  const { draft, today, difference, notes } = result;
  const { counted } = BACKTEST_WORDS[kind];
  const variants = today === null ? [draft] : [draft, today];
  return (
    <div className="flex flex-col gap-5">
      <div role="status">
        <Notice tone="info" title={headlineOf(kind, result)}>
          {difference !== null &&
            `Compared with today: ${signed(difference.completions)} ${counted.toLowerCase()} and ${signed(difference.points)} points in ${plural(result.days, "day")}.`}
        </Notice>
      </div>
      <FigureTable
        label="Figures"
        headings={[<span className="sr-only">Figure</span>, "This draft", ...(today === null ? [] : ["Today"])]}
        rows={[
          ...figuresOf(kind, result).map(({ label, estimates, unit }) => ({
            id: label,
            name: label,
            cells: estimates.map((estimate) => <EstimateCell estimate={estimate} unit={unit} />),
          })),
          ...(variants.every(({ timeToComplete }) => timeToComplete === null)
            ? []
            : [{ id: "time", name: "Time to complete", cells: variants.map(({ timeToComplete }) => timeWords(timeToComplete)) }]),
        ]}
      />
      {draft.stops.some(({ players }) => players.value > 0) && <Stops title={BACKTEST_WORDS[kind].stops} variant={draft} />}
      <Spans counted={counted} variant={draft} />
      <Notes notes={notes} />
    </div>
  );
}

const EstimateCell = ({ estimate, unit }: { estimate: Estimate; unit: string }) => (
  <>
    {`${roundedTo(estimate)}${unit}`}
    {estimate.low < estimate.high && <span className="block text-xs text-quiet">{intervalWords(estimate)}</span>}
  </>
);

function timeWords(time: BacktestVariant["timeToComplete"]): string {
  if (time === null) return "–";
  const [lower, median, upper] = [time.lower, time.median, time.upper].map((ms) => durationWords(ms / 1_000));
  return lower === upper ? median! : `${median} (middle half: ${lower} to ${upper})`;
}

/** The objectives at which players stop without completing it, or the reasons for refused purchases. */
function Stops({ title, variant: { stops } }: { title: string; variant: BacktestVariant }) {
  const most = Math.max(...stops.map(({ players }) => players.value));
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">{title}</h3>
      <ul className="flex flex-col gap-2">
        {stops.map(({ label, players }, at) => (
          <li key={at} className="flex flex-col gap-1">
            <span className="flex justify-between gap-3">
              <span className="min-w-0 wrap-anywhere">{label}</span>
              <span className="text-quiet tabular-nums">{estimateWords(players)}</span>
            </span>
            <Bar part={players.value / most} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Spans({ counted, variant: { spans } }: { counted: string; variant: BacktestVariant }) {
  const most = Math.max(1, ...spans.map(({ completions }) => completions.value));
  const isDaily = spans.every(({ from, to }) => from === to);
  return (
    <details>
      <summary className="cursor-pointer text-sm font-semibold">{isDaily ? "Day by day" : "Week by week"}</summary>
      <div className="mt-2">
        <FigureTable
          label={isDaily ? "By day" : "By week"}
          headings={[isDaily ? "Day" : "Week", counted, "Points"]}
          rows={spans.map(({ from, completions, points }) => ({
            id: from,
            name: new Date(from).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" }),
            cells: [
              <span className="flex items-center gap-2">
                <Bar part={completions.value / most} />
                <span className="w-14 shrink-0">{roundedTo(completions)}</span>
              </span>,
              formatted(Math.round(points.value)),
            ],
          }))}
        />
      </div>
    </details>
  );
}

const Bar = ({ part }: { part: number }) => (
  <span aria-hidden className="block h-1.5 w-full rounded-full bg-line">
    <span className="block h-full rounded-full bg-accent-fill" style={{ width: `${Math.round(100 * part)}%` }} />
  </span>
);
