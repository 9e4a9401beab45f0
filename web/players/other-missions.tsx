"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { MissionStanding } from "../../server/authoring/simulation/contract.dashboard.ts";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { Button } from "../components/button.tsx";
import { ReadFailed } from "../components/problems.tsx";
import { Badge, Card, Skeleton, type Tone } from "../components/surface.tsx";
import { Named, useNames } from "./named.tsx";
import { WhyNot } from "./why-not.tsx";

const STATES: Record<MissionStanding["status"], { label: string; tone: Tone }> = {
  InProgress: { label: "In progress", tone: "info" },
  Offered: { label: "Offered", tone: "info" },
  Ready: { label: "Can enter", tone: "info" },
  NotInAudience: { label: "Not in audience", tone: "neutral" },
  Closed: { label: "Closed", tone: "neutral" },
  Completed: { label: "Completed", tone: "good" },
};

/** A player's status in each active mission and segment. */
export function useStanding(externalId: string) {
  const { scope } = useWhere();
  return useQuery(orpc.simulation.standing.queryOptions({ input: { ...scope, externalId } }));
}

const SHOWN = 20;
const ORDER: MissionStanding["status"][] = ["Ready", "NotInAudience", "Closed", "Completed"];

/** Missions that the player is not in, with reasons. */
export function OtherMissions({ externalId }: { externalId: string }) {
  const { data, error, refetch } = useStanding(externalId);
  const [isAll, setAll] = useState(false);
  const nameOf = useNames("missions");
  if (data === undefined) {
    return (
      <Card title="Other missions">
        {error ? <ReadFailed title="Missions could not be loaded" error={error} onRetry={refetch} /> : <Skeleton className="h-24" />}
      </Card>
    );
  }
  const others = ORDER.flatMap((status) => data.missions.filter((one) => one.status === status));
  if (others.length === 0) return null;
  const shown = isAll ? others : others.slice(0, SHOWN);
  return (
    <Card title="Other missions" padded={false}>
      <ul aria-label="Other missions">
        {shown.map((standing) => (
          <li key={standing.key} className="border-b border-line px-4 py-2.5 last:border-b-0">
            <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Named kind="missions" of={standing.key} />
              <Badge tone={STATES[standing.status].tone} className="ml-auto">
                {STATES[standing.status].label}
              </Badge>
            </div>
            {standing.status !== "Completed" && <p className="text-xs text-quiet">{standing.reason}</p>}
            {(standing.status === "Ready" || standing.status === "NotInAudience") && (
              <WhyNot standing={standing} name={nameOf(standing.key)} externalId={externalId} isReasonShown />
            )}
          </li>
        ))}
      </ul>
      {shown.length < others.length && (
        <div className="border-t border-line px-4 py-2">
          <Button size="sm" variant="ghost" onClick={() => setAll(true)}>
            Show all {others.length}
          </Button>
        </div>
      )}
    </Card>
  );
}
