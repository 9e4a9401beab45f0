"use client";

import Link from "next/link";
import type { RewardSourceSeen } from "../../server/players/contract.dashboard.ts";
import { useWhere } from "../_client/where.tsx";
import { definitionPath } from "../authoring/kinds/index.ts";
import { periodInWords } from "./values.ts";

const PREFIXES: Record<RewardSourceSeen["kind"], string> = {
  missions: "",
  streaks: "Streak milestone: ",
  leaderboards: "Prize: ",
  marketplaceItems: "Purchase: ",
};

/** A source whose definition or period is not there any more. */
export const SOURCE_WORDS: Record<string, string> = {
  Mission: "Mission",
  StreakMilestone: "Streak milestone",
  Leaderboard: "Leaderboard prize",
  MarketplacePurchase: "Purchase",
};

/** What points or an item were for, leading there. */
export function Source({ source: { kind, key, name, period }, isBare = false }: { source: RewardSourceSeen; isBare?: boolean }) {
  const { href } = useWhere();
  return (
    <>
      {!isBare && PREFIXES[kind]}
      <Link href={href(definitionPath(kind, key))} prefetch={false} className="rounded font-medium hover:underline">
        {name}
      </Link>
      {period !== null && <span className="text-quiet"> ({periodInWords(period)})</span>}
    </>
  );
}
