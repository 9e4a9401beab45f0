import { isDay } from "../../server/model/kernel/dates.ts";
import type { Scope } from "../client/scope.ts";

/** View state of a board; null: the newest period, no search, all tiers. */
export interface BoardView {
  /** The period's start; "" for a board with a single period. */
  period: string | null;
  /** A player's ID, or a team. */
  around: string | null;
  /** A group of a league, both counted from 0. */
  group: { tier: number; group: number } | null;
}

const MAX_LENGTH = 200;
const GROUP = /^(\d{1,2})\.(\d{1,8})$/;

/** View state from the URL: "?period=2031-03-10&group=0.12". */
export function boardViewFrom(parameters: Record<string, string | string[] | undefined>): BoardView {
  const text = (name: string): string | null => {
    const value = parameters[name];
    return typeof value === "string" && value !== "" ? value.slice(0, MAX_LENGTH) : null;
  };
  const [, tier, group] = GROUP.exec(text("group") ?? "") ?? [];
  return {
    period: isDay(text("period") ?? "") ? text("period") : null,
    around: text("around"),
    group: tier === undefined ? null : { tier: Number(tier), group: Number(group) },
  };
}

export function boardQueryOf({ period, around, group }: BoardView): string {
  const query = new URLSearchParams();
  if (period !== null && period !== "") query.set("period", period);
  if (around !== null) query.set("around", around);
  if (group !== null) query.set("group", `${group.tier}.${group.group}`);
  return query.size === 0 ? "" : `?${query}`;
}

/** The input of the periods query; the server prefetches with the same. */
export const periodsInput = (scope: Scope, key: string, cursor: string | null = null) => ({ ...scope, key, cursor });
