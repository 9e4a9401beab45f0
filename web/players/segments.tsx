"use client";

import { ReadFailed } from "../components/problems.tsx";
import { Badge, Card, Skeleton } from "../components/surface.tsx";
import { Named, useNames } from "./named.tsx";
import { useStanding } from "./other-missions.tsx";
import { Conditions, Fold } from "./why-not.tsx";

/** The environment's segments, the player's first, each with its reason. */
export function Segments({ externalId }: { externalId: string }) {
  const { data, error, refetch } = useStanding(externalId);
  const nameOf = useNames("segments");
  const all = data?.segments ?? [];
  const sorted = [...all.filter(({ isIn }) => isIn), ...all.filter(({ isIn }) => !isIn)];
  return (
    <Card title="Segments" padded={false}>
      <ReadFailed title="Segments could not be loaded" error={error} onRetry={refetch} />
      {data === undefined && !error && <Skeleton className="m-4 h-16" />}
      {data !== undefined && all.length === 0 && <p className="px-4 py-3 text-quiet">No segments yet</p>}
      <ul aria-label="Segments">
        {sorted.map(({ key, isIn, lines }) => (
          <li key={key} className="border-b border-line px-4 py-2.5 last:border-b-0">
            <div className="flex flex-wrap items-center gap-2">
              <Named kind="segments" of={key} />
              <Badge tone={isIn ? "good" : "neutral"} className="ml-auto">
                {isIn ? "In" : "Not in"}
              </Badge>
            </div>
            <Fold question={isIn ? "Why?" : "Why not?"} about={nameOf(key)}>
              <Conditions lines={lines} />
            </Fold>
          </li>
        ))}
      </ul>
    </Card>
  );
}
