"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { orpc } from "#web/client/rpc.ts";
import { useWhere } from "#web/client/where.tsx";
import { Field } from "#web/components/field.tsx";
import { problemOf } from "#web/components/problems.tsx";
import { Card, Notice, Skeleton } from "#web/components/surface.tsx";
import { problemSent } from "#web/definitions/document/problems.ts";
import { NotYet } from "#web/definitions/try/not-yet.tsx";
import { PlayerPicker } from "#web/definitions/try/player-picker.tsx";
import { Lines } from "#web/definitions/try/trial-result.tsx";

/** Whether a player is in a segment now, with the result of each condition. */
export function MembershipTrial({ document }: { document: string }) {
  const [player, setPlayer] = useState<string | null>(null);
  return (
    <Card title="Try it" description="Choose a player to see whether they are in the segment now, and why.">
      <div className="flex flex-col gap-4">
        <Field label="Player">
          <PlayerPicker value={player} onValueChange={setPlayer} />
        </Field>
        {player !== null && <Verdict document={document} player={player} />}
      </div>
    </Card>
  );
}

function Verdict({ document, player }: { document: string; player: string }) {
  const { scope } = useWhere();
  const found = useQuery({ ...orpc.simulation.membership.queryOptions({ input: { ...scope, document, player } }), staleTime: 0 });
  if (found.isPending) return <Skeleton className="h-16" />;
  if (found.isError) return <Notice tone="bad">{problemOf(found.error)}</Notice>;
  const { problems, membership } = found.data;
  if (problems.length > 0) return <NotYet problems={problems.map(problemSent)} />;
  if (membership === null) return <Notice tone="neutral">This environment has never seen {player}.</Notice>;
  return (
    <div role="status" className="flex flex-col gap-3">
      <Notice tone={membership.isIn ? "good" : "neutral"} title={`${player} is ${membership.isIn ? "" : "not "}in the segment`} />
      <Lines lines={membership.lines} />
    </div>
  );
}
