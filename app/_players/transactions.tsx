"use client";

import { withThousands } from "../../server/kernel/thousands.ts";
import { Coins } from "lucide-react";
import type { PlayerSeen } from "../../server/players/contract.dashboard.ts";
import { useWhere } from "../_client/where.tsx";
import { cx } from "../_components/classes.ts";
import { Card, EmptyState } from "../_components/surface.tsx";
import { type Column, DataTable } from "../_components/table.tsx";
import { Instant } from "../_components/time.tsx";
import { Named } from "./named.tsx";

type Transaction = PlayerSeen["transactions"][number];

/** The last changes of a player's points, and what each was for. */
export function Transactions({ transactions }: { transactions: Transaction[] }) {
  const { timeZone, now } = useWhere();
  const columns: Column<Transaction>[] = [
    { id: "what", header: "Source", cell: (transaction) => <WhatFor transaction={transaction} /> },
    {
      id: "amount",
      header: "Points",
      isNumeric: true,
      className: "sm:w-28",
      cell: ({ amount }) => (
        <span className={cx(amount > 0 && "text-good")}>
          {amount > 0 ? "+" : "−"}
          {withThousands(String(Math.abs(amount)))}
        </span>
      ),
    },
    {
      id: "when",
      header: "When",
      className: "sm:w-40",
      cell: ({ occurredAt }) => (
        <span className="text-quiet">
          <Instant value={occurredAt} timeZone={timeZone} now={now} />
        </span>
      ),
    },
  ];
  return (
    <Card title="Points history" padded={false}>
      <DataTable
        label="Points history"
        columns={columns}
        rows={transactions}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={<Coins aria-hidden />} title="No points yet">
            Points that the player earns and spends are listed here.
          </EmptyState>
        }
      />
    </Card>
  );
}

const SOURCES: Record<string, string> = {
  Mission: "Mission",
  StreakMilestone: "Streak milestone",
  Leaderboard: "Leaderboard prize",
  MarketplacePurchase: "Purchase",
};

const TYPES = { Grant: "Earned", Spend: "Spent", Adjustment: "Adjusted", Refund: "Refunded" } as const;

function WhatFor({ transaction: { type, mission, sourceType, reason } }: { transaction: Transaction }) {
  if (mission !== null) return <Named kind="missions" of={mission} />;
  return (
    <span className="wrap-anywhere">
      {type === "Refund" ? "Reversed purchase" : (SOURCES[sourceType ?? ""] ?? TYPES[type])}
      {reason !== null && <span className="block text-xs text-quiet">{reason}</span>}
    </span>
  );
}
