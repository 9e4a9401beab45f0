"use client";

import { withThousands } from "../../server/kernel/thousands.ts";
import { Coins } from "lucide-react";
import type { PlayerSeen } from "../../server/players/contract.dashboard.ts";
import { useWhere } from "../_client/where.tsx";
import { cx } from "../_components/classes.ts";
import { Card, EmptyState } from "../_components/surface.tsx";
import { type Column, DataTable } from "../_components/table.tsx";
import { Instant } from "../_components/time.tsx";
import { Source, SOURCE_WORDS } from "./source.tsx";

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

const TYPES = { Grant: "Earned", Spend: "Spent", Adjustment: "Adjusted", Refund: "Refunded" } as const;

function WhatFor({ transaction: { type, source, sourceType, reason } }: { transaction: Transaction }) {
  return (
    <span className="wrap-anywhere">
      {type === "Refund" && "Reversed purchase: "}
      {source === null ? unnamed(sourceType, type) : <Source source={source} isBare={type === "Refund"} />}
      {reason !== null && <span className="block text-xs text-quiet">{reason}</span>}
    </span>
  );
}

const unnamed = (sourceType: string | null, type: Transaction["type"]): string =>
  (sourceType === null ? undefined : SOURCE_WORDS[sourceType]) ?? TYPES[type];
