"use client";

import { RefreshCw, Users } from "lucide-react";
import { useState } from "react";
import { formatted, plural } from "#server/model/kernel/thousands.ts";
import { orpc, rpc, type SegmentCount, useAttempt, useRead, useWhere } from "../../client/service.tsx";
import { ExportMenu } from "../../client/export-menu.tsx";
import { Button } from "../../components/button.tsx";
import { PagedTable, useListed } from "../../components/list-card.tsx";
import { Loaded } from "../../components/problems.tsx";
import { Card, Notice } from "../../components/surface.tsx";
import { PLAYER_COLUMNS } from "../../players/player-columns.tsx";
import { Instant } from "../../components/time.tsx";
import { Field } from "../../components/inputs.tsx";
import { besidePage } from "../../components/lazy-controls.tsx";
import { problemSent } from "../document/form-words.ts";
import { Lines, NotYet } from "../try/trial-result.tsx";

const PlayerPicker = besidePage(() => import("../try/player-picker.tsx").then((loaded) => loaded.PlayerPicker));

const LOOK_MS = 2_000;

/** A segment's members at the last count: how many, and who. */
export function SegmentPlayers({ segmentKey, isActive }: { segmentKey: string; isActive: boolean }) {
  const { scope, href } = useWhere();
  const counts = useRead(
    orpc.segments.counts,
    { keys: [segmentKey] },
    { enabled: isActive, refetchInterval: ({ state }) => (state.data?.counts[0]?.isCounting ? LOOK_MS : false) },
  );
  const count = counts.data?.counts[0];
  const counted = count?.counted ?? null;
  const list = useListed((cursor) => {
    const options = orpc.segments.members.queryOptions({ input: { ...scope, key: segmentKey, cursor } });
    // The time of the count, as the key: another count has other members.
    return { ...options, queryKey: [...options.queryKey, counted?.at] as never, enabled: counted !== null && counted.members > 0 };
  });
  if (!isActive) {
    return (
      <Card title="Players">
        <p className="text-quiet">The segment is switched off, so its players are not counted.</p>
      </Card>
    );
  }
  return (
    <Card
      title="Players"
      actions={
        count && (
          <div className="flex flex-wrap gap-2">
            {counted !== null && counted.members > 0 && (
              <ExportMenu size="sm" lists={[{ list: "segment-members", filters: { segment: segmentKey } }]} />
            )}
            <CountAgain segmentKey={segmentKey} count={count} />
          </div>
        )
      }
      padded={false}
    >
      <div role="status" className="px-4 py-3">
        <Loaded of={{ ...counts, data: count }} what="The count" className="w-48">
          {(shown) => <CountWords count={shown} />}
        </Loaded>
      </div>
      {counted !== null && (
        <PagedTable
          label="Players in this segment"
          columns={PLAYER_COLUMNS}
          list={list}
          rows={counted.members === 0 ? [] : list.data?.players}
          rowKey={({ externalId }) => externalId}
          href={({ externalId }) => href(`/players/${encodeURIComponent(externalId)}`)}
          empty={{
            icon: <Users />,
            title: "No players in this segment",
            words: "No player met its conditions when it was counted. Try it with a player to see why.",
          }}
        />
      )}
    </Card>
  );
}

function CountWords({ count: { counted, isCounting, playersSoFar } }: { count: SegmentCount }) {
  const progress = playersSoFar > 0 ? `Counting… ${plural(playersSoFar, "player")} checked so far.` : "Counting…";
  if (counted === null) return <p className="text-quiet">{progress}</p>;
  return (
    <>
      <p className="text-2xl font-semibold tabular-nums">
        {formatted(counted.members)}
        <span className="text-base font-normal text-quiet"> of {plural(counted.players, "player")}</span>
      </p>
      <p className="text-[0.8125rem] text-quiet">
        {/* The count runs in real time, whatever the environment's clock shows. */}
        Counted <Instant value={counted.at} />. {isCounting && progress}
      </p>
    </>
  );
}

function CountAgain({ segmentKey, count }: { segmentKey: string; count: SegmentCount }) {
  const { scope, can } = useWhere();
  const attempt = useAttempt(orpc.segments.key());
  if (!can("Support")) return null;
  return (
    <Button
      size="sm"
      icon={<RefreshCw />}
      isPending={count.isCounting}
      onClick={() =>
        void attempt("The segment was not counted", () => rpc.segments.countAgain({ ...scope, key: segmentKey })).catch(() => {})
      }
    >
      Count again
    </Button>
  );
}

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
  const found = useRead(orpc.simulation.membership, { document, player }, { staleTime: 0 });
  return (
    <Loaded of={found} what="The answer" className="h-16">
      {({ problems, membership }) => {
        if (problems.length > 0) return <NotYet problems={problems.map(problemSent)} />;
        if (membership === null) return <Notice tone="neutral">This environment has never seen {player}.</Notice>;
        return (
          <div role="status" className="flex flex-col gap-3">
            <Notice tone={membership.isIn ? "good" : "neutral"} title={`${player} is ${membership.isIn ? "" : "not "}in the segment`} />
            <Lines lines={membership.lines} />
          </div>
        );
      }}
    </Loaded>
  );
}
