import { pickText } from "#server/model/kernel/texts.ts";
import { formatInstant, shiftDate } from "#server/model/kernel/time.ts";
import { selectUnusedKeys } from "../../store/attention.ts";
import { selectBought, selectSums, selectUnchanged, type UnchangedRow } from "../../store/sums.ts";
import { countingProgress, type ReportContext } from "./context.ts";
import { DAY } from "#server/model/kernel/instant.ts";

/** A definition without use for this long is stale. */
export const STALE_DAYS = 60;
/** An API key is unused if no request used it for this long after its creation. */
export const UNUSED_KEY_DAYS = 30;

/** The most listed of a kind. */
const MAX_NAMED = 5;

/**
 * Active definitions and keys without use: missions without a completion and events not sent in sixty days, listings never bought, API keys
 * never used. Leaves out definitions changed in that time, and missions and listings outside their window. Empty while history is counted.
 */
export async function reportStale(context: ReportContext) {
  const { sql, environment, population, definitions, now, today } = context;
  const { total } = await countingProgress(context);
  if (total > 0) return { days: STALE_DAYS, definitions: [], keys: [] };
  const since = shiftDate(today, -STALE_DAYS);
  const [unchanged, sums, bought, keys] = await Promise.all([
    selectUnchanged(sql, environment.id, now - STALE_DAYS * DAY),
    selectSums(sql, population, { measures: ["completed", "event"], bounds: [since], end: shiftDate(today, 1) }),
    selectBought(sql, environment.id),
    selectUnusedKeys(sql, environment.id, UNUSED_KEY_DAYS),
  ]);
  const used = new Set(sums.flatMap(({ subject, count }) => (count > 0 ? [subject] : [])));
  for (const id of bought) used.add(id);
  const windows = [
    ...definitions.missions.map(({ id, window }) => ({ id, ...window })),
    ...definitions.listings.map(({ id, onSale }) => ({ id, ...onSale })),
  ];
  const isLongOpen = new Set(
    windows.flatMap(({ id, startsAt, endsAt }) =>
      (startsAt === null || startsAt <= now - STALE_DAYS * DAY) && (endsAt === null || endsAt > now) ? [id] : [],
    ),
  );
  const isStale = ({ id, kind }: UnchangedRow) => !used.has(id) && (kind === "events" || isLongOpen.has(id));
  const stale = unchanged.filter(isStale);
  return {
    days: STALE_DAYS,
    definitions: (["missions", "marketplaceItems", "events"] as const).flatMap((kind) => {
      const rows = stale.filter((row) => row.kind === kind);
      const named = rows.slice(0, MAX_NAMED).map(({ key, name }) => ({ key, name: name === null ? key : pickText(name, null) }));
      return rows.length === 0 ? [] : [{ kind, count: rows.length, named }];
    }),
    keys: keys.slice(0, MAX_NAMED).map(({ createdAt, ...key }) => ({ ...key, createdAt: formatInstant(createdAt) })),
  };
}
