import type { ReactNode } from "react";
import { orpc, type PlayerSeen, useRead, useWhere } from "../client/service.tsx";
import { Badge, Card } from "../components/surface.tsx";
import { NamedDefinition, useNames } from "./named.tsx";
import { valueInWords } from "./values.ts";
import { Loaded } from "../components/problems.tsx";
import { useStanding } from "./missions.tsx";
import { Conditions, ReasonFold } from "./why-not.tsx";

export function Attributes({ attributes, metrics }: Pick<PlayerSeen, "attributes" | "metrics">) {
  const { timeZone } = useWhere();
  const { data: catalogue } = useRead(orpc.definitions.catalogue);
  const isMoney = (key: string) => catalogue?.metrics.find((one) => one.key === key)?.kind === "Currency";
  return (
    <>
      <Card title="Attributes" padded={false}>
        <ValueList none="No attributes yet">
          {attributes.map(({ key, value }) => (
            <ValueRow key={key} term={<NamedDefinition kind="attributes" of={key} />}>
              {valueInWords(value, timeZone)}
            </ValueRow>
          ))}
        </ValueList>
      </Card>
      <Card title="Metric totals" padded={false}>
        <ValueList none="No metrics yet">
          {metrics.map(({ key, total }) => (
            <ValueRow key={key} term={<NamedDefinition kind="metrics" of={key} />}>
              <span className="tabular-nums">
                {valueInWords(total, timeZone)} {isMoney(key) && catalogue?.baseCurrency}
              </span>
            </ValueRow>
          ))}
        </ValueList>
      </Card>
    </>
  );
}

const ValueList = ({ none, children }: { none: string; children: ReactNode[] }) =>
  children.length === 0 ? <p className="px-4 py-3 text-quiet">{none}</p> : <dl>{children}</dl>;

const ValueRow = ({ term, children }: { term: ReactNode; children: ReactNode }) => (
  <div className="flex items-baseline gap-4 border-b border-line px-4 py-2 last:border-b-0">
    <dt className="min-w-0 flex-1 wrap-anywhere">{term}</dt>
    <dd className="max-w-[60%] text-right wrap-anywhere">{children}</dd>
  </div>
);

/** The environment's segments, the player's first, each with its reason. */
export function Segments({ externalId }: { externalId: string }) {
  const standing = useStanding(externalId);
  const nameOf = useNames("segments");
  return (
    <Card title="Segments" padded={false}>
      <Loaded of={standing} what="Segments" isInset className="h-16">
        {({ segments }) =>
          segments.length === 0 ? (
            <p className="px-4 py-3 text-quiet">No segments yet</p>
          ) : (
            <ul aria-label="Segments">
              {segments
                .toSorted((one, other) => Number(other.isIn) - Number(one.isIn))
                .map(({ key, isIn, lines }) => (
                  <li key={key} className="border-b border-line px-4 py-2.5 last:border-b-0">
                    <div className="flex flex-wrap items-center gap-2">
                      <NamedDefinition kind="segments" of={key} />
                      <Badge tone={isIn ? "good" : "neutral"} className="ml-auto">
                        {isIn ? "In" : "Not in"}
                      </Badge>
                    </div>
                    <ReasonFold question={isIn ? "Why?" : "Why not?"} about={nameOf(key)}>
                      <Conditions lines={lines} />
                    </ReasonFold>
                  </li>
                ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
