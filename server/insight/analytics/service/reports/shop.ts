import { selectRounds } from "../../store/shop.ts";
import { less, lessOf, type Sums } from "#server/model/analytics/sums.ts";
import {
  countedSince,
  namesOf,
  type ReportRange,
  rangeFrame,
  type ReportContext,
  shownFrame,
  sumsByPeriod,
  sumsOfRange,
} from "./context.ts";

/** Units sold, points paid, reversals and refusals. */
export async function reportShop(context: ReportContext, range: ReportRange) {
  const frame = rangeFrame(range);
  // Refusals are only summed over all players, and stock is shared by all.
  const isOfAll = context.segment === null;
  const [shown, sums, details, rounds, names, refusalsSince] = await Promise.all([
    shownFrame(context, frame),
    sumsByPeriod(context, frame, { measures: ["purchased", "reversed", "refused"] }),
    sumsOfRange(context, frame, { measures: ["refused"], withDetail: true }),
    selectRounds(context.sql, context.environment.id),
    namesOf(context, "marketplaceItems"),
    isOfAll ? countedSince(context, ["refused"]) : null,
  ]);
  const ids = new Set([...names.active(), ...sums.subjects("purchased", "reversed", "refused")]);
  ids.delete(0);
  const listings = [...ids].map((subject) => ({
    subject: names.subject(subject),
    ...salesOf(sums, subject),
    refused: isOfAll ? sums.figure({ measure: "refused", subject }) : null,
    rounds: ((isOfAll && rounds.get(subject)) || []).map(({ start, sold, stock }) => ({ start: start === "" ? null : start, sold, stock })),
  }));
  return {
    frame: shown,
    units: less(sums.series({ measure: "purchased" }), sums.series({ measure: "reversed" })),
    revenue: less(sums.series({ measure: "purchased" }, "amount"), sums.series({ measure: "reversed" }, "amount")),
    totals: {
      ...salesOf(sums),
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

/** The sales of a listing, or of all, gross and net of reversals. */
function salesOf(sums: Sums, subject?: number) {
  const [grossUnits, reversedUnits] = [sums.figure({ measure: "purchased", subject }), sums.figure({ measure: "reversed", subject })];
  const grossRevenue = sums.figure({ measure: "purchased", subject }, "amount");
  const reversedPoints = sums.figure({ measure: "reversed", subject }, "amount");
  return {
    ...{ units: lessOf(grossUnits, reversedUnits), revenue: lessOf(grossRevenue, reversedPoints) },
    ...{ grossUnits, grossRevenue, reversedUnits, reversedPoints },
  };
}
