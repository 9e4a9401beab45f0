import type { AnalyticsReports } from "../../contract.dashboard.ts";
import { selectRounds } from "../../store/shop.ts";
import { totalOf } from "../../sums.ts";
import { countedSince, namesOf, type Range, rangeFrame, type ReportContext, shownFrame, sumsByPeriod, sumsOfRange } from "./context.ts";

/** What was sold for how many points, what was taken back, and what was refused. */
export async function reportShop(context: ReportContext, range: Range): Promise<AnalyticsReports["shop"]> {
  const frame = rangeFrame(range);
  // Refusals are kept as sums of all players alone, and a round's stock is everybody's.
  const isOfAll = context.segment === null;
  const [shown, sums, details, rounds, names, refusalsSince] = await Promise.all([
    shownFrame(context, frame),
    sumsByPeriod(context, frame, { measures: ["purchased", "reversed", "refused"] }),
    sumsOfRange(context, frame, { measures: ["refused"], withDetail: true }),
    selectRounds(context.sql, context.environment.id),
    namesOf(context, "marketplaceItems"),
    isOfAll ? countedSince(context, ["refused"]) : null,
  ]);
  const units = sums.series({ measure: "purchased" });
  const revenue = sums.series({ measure: "purchased" }, "amount");
  const ids = new Set([...names.active(), ...sums.subjects("purchased", "reversed", "refused")]);
  ids.delete(0);
  const listings = [...ids].map((subject) => ({
    subject: names.subject(subject),
    units: sums.figure({ measure: "purchased", subject }),
    revenue: sums.figure({ measure: "purchased", subject }, "amount"),
    reversedUnits: sums.figure({ measure: "reversed", subject }),
    refused: isOfAll ? sums.figure({ measure: "refused", subject }) : null,
    rounds: ((isOfAll && rounds.get(subject)) || []).map(({ start, sold, stock }) => ({ start: start === "" ? null : start, sold, stock })),
  }));
  return {
    frame: shown,
    units,
    revenue,
    totals: {
      units: totalOf(units),
      revenue: totalOf(revenue),
      reversedUnits: sums.figure({ measure: "reversed" }),
      reversedPoints: sums.figure({ measure: "reversed" }, "amount"),
      refused: isOfAll ? sums.figure({ measure: "refused" }) : null,
    },
    listings: listings.sort((a, b) => b.revenue.value - a.revenue.value || a.subject.id - b.subject.id),
    refusals: details
      .details("refused")
      .map((code) => ({ code, count: details.figure({ measure: "refused", detail: code }) }))
      .sort((a, b) => b.count.value - a.count.value),
    refusalsSince,
  };
}
