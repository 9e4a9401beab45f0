"use client";

import type { ReactNode } from "react";
import type { PlayerSeen } from "../../server/game/players/contract.dashboard.ts";
import { useWhere } from "../client/where.tsx";
import { Card } from "../components/surface.tsx";
import { Named } from "./named.tsx";
import { valueInWords } from "./values.ts";

/** A player's attributes and metrics. */
export function Attributes({ attributes, metrics }: Pick<PlayerSeen, "attributes" | "metrics">) {
  const { timeZone } = useWhere();
  return (
    <>
      <Card title="Attributes" padded={false}>
        <Values none="No attributes yet">
          {attributes.map(({ key, value }) => (
            <Value key={key} term={<Named kind="attributes" of={key} />}>
              {valueInWords(value, timeZone)}
            </Value>
          ))}
        </Values>
      </Card>
      <Card title="Metric totals" padded={false}>
        <Values none="No metrics yet">
          {metrics.map(({ key, total }) => (
            <Value key={key} term={<Named kind="metrics" of={key} />}>
              <span className="tabular-nums">{valueInWords(total, timeZone)}</span>
            </Value>
          ))}
        </Values>
      </Card>
    </>
  );
}

const Values = ({ none, children }: { none: string; children: ReactNode[] }) =>
  children.length === 0 ? <p className="px-4 py-3 text-quiet">{none}</p> : <dl>{children}</dl>;

const Value = ({ term, children }: { term: ReactNode; children: ReactNode }) => (
  <div className="flex items-baseline gap-4 border-b border-line px-4 py-2 last:border-b-0">
    <dt className="min-w-0 flex-1 wrap-anywhere">{term}</dt>
    <dd className="max-w-[60%] text-right wrap-anywhere">{children}</dd>
  </div>
);
