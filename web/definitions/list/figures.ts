import type { Kind } from "#server/model/definitions/contract.ts";
import { formatted } from "#server/model/kernel/thousands.ts";
import { orpc, useRead } from "../../client/service.tsx";
import type { ListedDefinition } from "../kinds/columns.tsx";

/** Live figures of list rows, fetched after the list. */
export interface ListFigures {
  header: string;
  /** Beside the header where there is room. */
  period?: string;
  sortKey?: "completions";
  of(row: ListedDefinition): string;
  /** The figure day by day, for a line beside it. */
  days?(row: ListedDefinition): readonly number[] | null;
}

const SECOND = 1_000;

/** A kind's row figures; null for kinds without any. */
export function useFigures(kind: Kind, rows: readonly ListedDefinition[]): ListFigures | null {
  const input = { keys: rows.map(({ key }) => key) };
  const sold = useRead(orpc.marketplace.sold, input, { enabled: kind === "marketplaceItems" && rows.length > 0 });
  const completed = useRead(orpc.analytics.completions, input, { enabled: kind === "missions" && rows.length > 0 });
  const counts = useRead(orpc.segments.counts, input, {
    enabled: kind === "segments" && rows.length > 0,
    refetchInterval: ({ state }) => (state.data?.counts.some(({ isCounting }) => isCounting) ? 3 * SECOND : false),
  });
  if (kind === "marketplaceItems") {
    const units = new Map(sold.data?.sold.map((one) => [one.key, one.units]));
    return { header: "Stock left", of: (row) => stockWords(row.summary.stock ?? null, units.get(row.key)) };
  }
  if (kind === "missions") {
    const byKey = new Map(completed.data?.completions.map((one) => [one.key, one]));
    return {
      header: "Completed",
      period: "28 days",
      sortKey: "completions",
      of: ({ key }) => (completed.data === undefined ? "" : formatted(byKey.get(key)?.count ?? 0)),
      days: ({ key }) => byKey.get(key)?.days ?? null,
    };
  }
  if (kind === "segments") {
    const byKey = new Map(counts.data?.counts.map((one) => [one.key, one]));
    return {
      header: "Players",
      of({ key, active }) {
        if (!active) return "–";
        const counted = byKey.get(key)?.counted;
        return counted ? formatted(counted.members) : byKey.has(key) ? "Counting…" : "";
      },
    };
  }
  return null;
}

/** "12 of 50": remaining stock of the current period. */
function stockWords(stock: ListedDefinition["summary"][string], sold: number | undefined): string {
  if (typeof stock !== "number") return "No limit";
  return sold === undefined ? "" : `${formatted(Math.max(stock - sold, 0))} of ${formatted(stock)}`;
}
