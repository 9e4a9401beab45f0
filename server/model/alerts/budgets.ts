import { periodAt } from "../kernel/time.ts";
import type { Term } from "./figures.ts";

export const BUDGET_KINDS = ["missions", "marketplaceItems"] as const;
export const BUDGET_MEASURES = ["Points", "Items"] as const;
/** `All`: all time, without periods. */
export const BUDGET_PERIODS = ["Day", "Week", "All"] as const;

/** An amount of points or items that a mission may grant, or a listing sell, in a period. */
export interface Budget {
  kind: (typeof BUDGET_KINDS)[number];
  measure: (typeof BUDGET_MEASURES)[number];
  period: (typeof BUDGET_PERIODS)[number];
  amount: number;
}

const TERMS: Record<Budget["kind"], Record<Budget["measure"], readonly Term[]>> = {
  missions: {
    Points: [{ measure: "points.granted", field: "amount", sign: 1 }],
    Items: [{ measure: "items", field: "amount", sign: 1 }],
  },
  marketplaceItems: {
    Points: [
      { measure: "points.spent", field: "amount", sign: 1 },
      { measure: "points.refunded", field: "amount", sign: -1 },
    ],
    Items: [{ measure: "purchased", field: "count", sign: 1 }],
  },
};

export const termsOf = ({ kind, measure }: Pick<Budget, "kind" | "measure">): readonly Term[] => TERMS[kind][measure];

/** The name of the period that an instant lies in: its first day in the project's zone, "All" without periods. */
export const periodNameAt = (period: Budget["period"], instant: number, timeZone: string): string =>
  period === "All" ? period : periodAt(instant, timeZone, period).start;

/** The periods for which a budget's notices were sent. */
export interface ToldBudget {
  told80For: string | null;
  told100For: string | null;
}

/** The due notice of a budget in a period: 80 or 100 (per cent); null if none. Each is sent once per period, and 80 not after 100. */
export function toTell(
  { amount }: Pick<Budget, "amount">,
  { told80For, told100For }: ToldBudget,
  period: string,
  used: number,
): 80 | 100 | null {
  if (told100For === period) return null;
  if (used >= amount) return 100;
  return told80For !== period && used >= amount * 0.8 ? 80 : null;
}
