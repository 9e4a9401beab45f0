"use client";

import { withThousands } from "../../server/kernel/thousands.ts";
import { useIsFetching, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import type { PlayerSeen } from "../../server/players/contract.dashboard.ts";
import { orpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import { Button } from "../_components/button.tsx";
import { CopyButton } from "../_components/code.tsx";
import { Page } from "../_components/page.tsx";
import { problemOf, ReadFailed } from "../_components/problems.tsx";
import { Card, Definition, EmptyState } from "../_components/surface.tsx";
import { exactly } from "../_components/exactly.ts";
import { Instant } from "../_components/time.tsx";
import { Attributes } from "./attributes.tsx";
import { Completions } from "./completions.tsx";
import { Facts } from "./facts.tsx";
import { Missions } from "./missions.tsx";
import { Purchases } from "./purchases.tsx";
import { Standings } from "./standings.tsx";
import { Streaks } from "./streaks.tsx";
import { Transactions } from "./transactions.tsx";
import { adjustedOf } from "./values.ts";

/** One player as they stand, to look at. Looking changes nothing for them. */
export function PlayerScreen({ externalId }: { externalId: string }) {
  const { scope, href } = useWhere();
  const { data, error } = useQuery(orpc.players.get.queryOptions({ input: { ...scope, externalId } }));
  const queryClient = useQueryClient();
  const isReading = useIsFetching({ queryKey: orpc.players.key() }) + useIsFetching({ queryKey: orpc.marketplace.key() }) > 0;
  const readAgain = () => {
    for (const queryKey of [orpc.players.key(), orpc.marketplace.key()]) void queryClient.invalidateQueries({ queryKey });
  };
  const breadcrumbs = [{ label: "Players", href: href("/players") }];
  if (data === undefined) {
    return (
      <Page title={externalId} breadcrumbs={breadcrumbs}>
        <Card>
          <EmptyState title="This player cannot be shown">{error ? problemOf(error) : "Reading …"}</EmptyState>
        </Card>
      </Page>
    );
  }
  return (
    <Page
      title={data.displayName ?? externalId}
      breadcrumbs={breadcrumbs}

      actions={
        <Button icon={<RotateCw aria-hidden />} isPending={isReading} onClick={readAgain}>
          Refresh
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <ReadFailed title="The player could not be refreshed" error={error} />
        <Profile player={data} />
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <Missions missions={data.missions} />
          <div className="flex min-w-0 flex-col gap-4">
            <Streaks streaks={data.streaks} />
            <Standings externalId={externalId} />
            <Attributes attributes={data.attributes} metrics={data.metrics} />
            <Completions externalId={externalId} />
          </div>
        </div>
        <Purchases externalId={externalId} />
        <Transactions transactions={data.transactions} />
        <Facts facts={data.facts} />
      </div>
    </Page>
  );
}

function Profile({ player }: { player: PlayerSeen }) {
  const { timeZone, now } = useWhere();
  const { externalId, displayName, balance, createdAt } = player;
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-4 md:grid-cols-4">
        <Definition term="Id">
          <span className="flex min-w-0 items-center gap-1">
            <code className="min-w-0 truncate font-mono text-[0.8125rem]" title={externalId}>
              {externalId}
            </code>
            <CopyButton text={externalId} label="Copy ID" />
          </span>
        </Definition>
        <Definition term="Name">{displayName ?? <span className="text-faint">None</span>}</Definition>
        <Definition term="Time zone">{player.timeZone ?? `${timeZone} (the project’s)`}</Definition>
        <Definition term="First seen">
          <Instant value={createdAt} timeZone={timeZone} now={now} />
          <span className="block text-xs text-faint">{exactly(createdAt, timeZone)}</span>
        </Definition>
        <Definition term="Points">
          <span className="text-lg font-semibold tabular-nums">{withThousands(String(balance.balance))}</span>
        </Definition>
        <Definition term="Earned">
          <span className="tabular-nums">{withThousands(String(balance.totalGranted))}</span>
        </Definition>
        <Definition term="Spent">
          <span className="tabular-nums">{withThousands(String(balance.totalSpent))}</span>
        </Definition>
        <Definition term="Adjusted">
          <span className="tabular-nums">{withThousands(String(adjustedOf(balance)))}</span>
        </Definition>
      </dl>
    </Card>
  );
}
