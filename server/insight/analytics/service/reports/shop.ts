import { roundAt } from "#server/model/marketplace/eligibility.ts";
import { selectRounds, type SoldRound } from "../../store/shop.ts";
import { withCurrent } from "./rounds.ts";
import { type Orders, pageOf, type TableView } from "#server/model/analytics/table.ts";
import { subtract, subtractFigure, mainPart, type Sums } from "#server/model/analytics/sums.ts";
import {
  countedSince,
  type Names,
  namesOf,
  type ReportRange,
  rangeFrame,
  type ReportContext,
  shownFrame,
  sumsByPeriod,
  sumsOfRange,
} from "./context.ts";

interface Listed {
  id: number;
  sums: Sums;
  names: Names;
  /** The current period; only for sorting by it. */
  newest: Pick<SoldRound, "sold" | "stock"> | undefined;
}

/** What each column of the table sorts by. */
const ORDERS: Orders<Listed> = {
  listing: ({ id, names }) => names.name(id),
  revenue: ({ id, sums }) => salesOf(sums, id).revenue.value,
  units: ({ id, sums }) => salesOf(sums, id).units.value,
  reversed: ({ id, sums }) => salesOf(sums, id).reversedUnits.value,
  refused: ({ id, sums }) => sums.figure({ measure: "refused", subject: id }).value,
  sold: ({ newest }) => (newest === undefined || newest.stock === null || newest.stock === 0 ? null : newest.sold / newest.stock),
};

/** Units sold, points paid, reversals and refusals; listings a page at a time. */
export async function reportShop(context: ReportContext, { table, ...range }: ReportRange & { table: TableView }) {
  const frame = rangeFrame(range);
  const { definitions, now } = context;
  const listings = new Map(definitions.listings.map((listing) => [listing.id, listing]));
  // Refusals are only summed over all players, and stock is shared by all.
  const isOfAll = context.segment === null;
  const [shown, series, sums, details, names, refusalsSince] = await Promise.all([
    shownFrame(context, frame),
    sumsByPeriod(context, frame, { measures: ["purchased", "reversed"], isSummed: true }),
    sumsOfRange(context, frame, { measures: isOfAll ? ["purchased", "reversed", "refused"] : ["purchased", "reversed"] }),
    isOfAll ? sumsOfRange(context, frame, { measures: ["refused"], withDetail: true, isSummed: true }) : null,
    namesOf(context, "marketplaceItems"),
    isOfAll ? countedSince(context, ["refused"]) : null,
  ]);
  const ids = new Set([...names.active(), ...sums.subjects("purchased", "reversed", "refused")]);
  ids.delete(0);
  const newest = isOfAll && table.sort === "sold" ? await selectRounds(context.sql, [...ids], 1) : null;
  const roundsOf = (id: number, found: readonly SoldRound[] = []) => {
    const listing = listings.get(id);
    return listing === undefined ? found : withCurrent(found, roundAt(listing, now, definitions.timeZone).start, listing.stock);
  };
  const listed = [...ids]
    .sort((a, b) => a - b)
    .map((id) => ({ id, sums, names, newest: newest === null ? undefined : roundsOf(id, newest.get(id))[0] }));
  const page = pageOf(listed, table, ORDERS, ORDERS.revenue);
  const rounds = isOfAll
    ? await selectRounds(
        context.sql,
        page.rows.map(({ id }) => id),
      )
    : null;
  const totals = salesOf(sums);
  const main = mainPart(totals.revenue, listed, ({ id }) => salesOf(sums, id).revenue);
  return {
    frame: shown,
    units: subtract(series.series({ measure: "purchased" }), series.series({ measure: "reversed" })),
    revenue: subtract(series.series({ measure: "purchased" }, "amount"), series.series({ measure: "reversed" }, "amount")),
    totals: { ...totals, refused: isOfAll ? sums.figure({ measure: "refused" }) : null },
    main: main && { subject: names.subject(main.id), figure: salesOf(sums, main.id).revenue },
    table: {
      ...page,
      rows: page.rows.map(({ id }) => ({
        subject: names.subject(id),
        ...salesOf(sums, id),
        refused: isOfAll ? sums.figure({ measure: "refused", subject: id }) : null,
        rounds: (rounds === null ? [] : roundsOf(id, rounds.get(id))).map(({ start, sold, stock }) => ({
          start: start === "" ? null : start,
          sold,
          stock,
        })),
      })),
    },
    refusals: (details?.details("refused") ?? [])
      .map((code) => ({ code, count: details!.figure({ measure: "refused", detail: code }) }))
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
    units: subtractFigure(grossUnits, reversedUnits),
    revenue: subtractFigure(grossRevenue, reversedPoints),
    grossUnits,
    grossRevenue,
    reversedUnits,
    reversedPoints,
  };
}
