"use client";

import type { ComponentType } from "react";
import { RangeBar } from "../../analytics/range-bar.tsx";
import { Today } from "../../analytics/report.tsx";
import { EffectCard } from "../../analytics/effect-card.tsx";
import type { ResultKind } from "../../analytics/reports.ts";
import { LeaderboardsReport } from "../../analytics/screens/leaderboards.tsx";
import { MissionReport } from "../../analytics/screens/mission.tsx";
import { StreaksReport } from "../../analytics/screens/streaks.tsx";

const REPORTS: Record<ResultKind, ComponentType<{ of: string; sentences: readonly string[] }>> = {
  missions: ({ of: key, sentences }) => <MissionReport missionKey={key} sentences={sentences} />,
  streaks: ({ of: key }) => <StreaksReport only={key} />,
  leaderboards: ({ of: key }) => <LeaderboardsReport only={key} />,
};

interface ResultsProps {
  kind: ResultKind;
  definitionKey: string;
  /** A mission's objectives in words. */
  sentences: readonly string[];
  today: string;
}

/** The Results tab: the definition's part of the analytics, for the range in the address. */
export function Results({ kind, definitionKey, sentences, today }: ResultsProps) {
  const Report = REPORTS[kind];
  return (
    <Today rendered={today}>
      {/* Boards have periods of their own, and no streak chart is by day. */}
      {kind !== "leaderboards" && <RangeBar isDivided={kind === "missions"} isOfSegments={kind === "missions"} />}
      <div className="mb-4">
        <Report of={definitionKey} sentences={sentences} />
      </div>
      <EffectCard kind={kind} definitionKey={definitionKey} />
    </Today>
  );
}
