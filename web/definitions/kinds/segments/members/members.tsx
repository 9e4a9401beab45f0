"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { RefreshCw, Users } from "lucide-react";
import type { SegmentCountShown } from "#server/game/segments/contract.dashboard.ts";
import { formatted, plural } from "#server/model/kernel/thousands.ts";
import { useAttempt } from "#web/client/attempt.ts";
import { ExportMenu } from "#web/client/export-menu.tsx";
import { orpc, rpc } from "#web/client/rpc.ts";
import { useWhere } from "#web/client/where.tsx";
import { Button } from "#web/components/button.tsx";
import { Pager, usePages } from "#web/components/pager.tsx";
import { ReadFailed } from "#web/components/problems.tsx";
import { Card, EmptyState, Skeleton } from "#web/components/surface.tsx";
import { DataTable } from "#web/components/table.tsx";
import { PLAYER_COLUMNS } from "#web/players/player-columns.tsx";
import { Instant } from "#web/components/time.tsx";

const LOOK_MS = 2_000;

/** A segment's members at the last count: how many, and who. */
export function Members({ segmentKey, isActive }: { segmentKey: string; isActive: boolean }) {
  const { scope, href } = useWhere();
  const pages = usePages();
  const counts = useQuery({
    ...orpc.segments.counts.queryOptions({ input: { ...scope, keys: [segmentKey] } }),
    enabled: isActive,
    refetchInterval: ({ state }) => (state.data?.counts[0]?.isCounting ? LOOK_MS : false),
  });
  const count = counts.data?.counts[0];
  const counted = count?.counted ?? null;
  const members = useQuery({
    // The time of the count, as the key: another count has other members.
    ...orpc.segments.members.queryOptions({ input: { ...scope, key: segmentKey, cursor: pages.cursor } }),
    queryKey: [...orpc.segments.members.queryKey({ input: { ...scope, key: segmentKey, cursor: pages.cursor } }), counted?.at],
    enabled: counted !== null && counted.members > 0,
    placeholderData: keepPreviousData,
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
      <ReadFailed title="The count could not be loaded" error={counts.error ?? members.error} />
      <div role="status" className="px-4 py-3">
        {count === undefined ? <Skeleton className="w-48" /> : <Counted count={count} />}
      </div>
      {counted?.members === 0 && (
        <EmptyState icon={<Users aria-hidden />} title="No players in this segment" className="border-t border-line">
          Nobody met its conditions when it was counted. Try it with a player to see why.
        </EmptyState>
      )}
      {members.data && counted !== null && counted.members > 0 && (
        <>
          <DataTable
            label="Players in this segment"
            columns={PLAYER_COLUMNS}
            rows={members.data.players}
            rowKey={({ externalId }) => externalId}
            href={({ externalId }) => href(`/players/${encodeURIComponent(externalId)}`)}
            isStale={members.isPlaceholderData}
          />
          <Pager pages={pages} next={members.data.next} />
        </>
      )}
    </Card>
  );
}

function Counted({ count: { counted, isCounting, playersSoFar } }: { count: SegmentCountShown }) {
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

function CountAgain({ segmentKey, count }: { segmentKey: string; count: SegmentCountShown }) {
  const { scope, can } = useWhere();
  const attempt = useAttempt(orpc.segments.key());
  if (!can("Support")) return null;
  return (
    <Button
      size="sm"
      icon={<RefreshCw aria-hidden />}
      isPending={count.isCounting}
      onClick={() =>
        void attempt("The segment was not counted", () => rpc.segments.countAgain({ ...scope, key: segmentKey })).catch(() => {})
      }
    >
      Count again
    </Button>
  );
}
