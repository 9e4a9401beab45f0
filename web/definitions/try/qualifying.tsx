import { RefreshCw, Users } from "lucide-react";
import { useAlong } from "../along.tsx";
import type { Problem } from "../document/pointers.ts";
import type { TriedKind } from "../kinds/index.ts";
import { orpc, useRead } from "../../client/service.tsx";
import { Button } from "../../components/button.tsx";
import { problemOf } from "../../components/problems.tsx";
import { EmptyState, Notice, Skeleton } from "../../components/surface.tsx";
import { problemSent } from "../document/form-words.ts";
import { formatted } from "#server/model/kernel/thousands.ts";
import { NotYet } from "./trial-result.tsx";

interface QualifyingProps {
  kind: TriedKind;
  document: string;
  /** Problems of the definition: with any, no query is sent. */
  problems: readonly Problem[];
}

/** The audience's present size, and a sample. */
export function Qualifying({ kind, document, problems: own }: QualifyingProps) {
  const along = useAlong();
  const input = { kind, document, along: [...along] };
  const found = useRead(orpc.simulation.audience, input, { staleTime: 0, enabled: own.length === 0 });
  if (own.length > 0) return <NotYet problems={own} />;
  if (found.isPending) return <Looking />;
  if (found.isError) return <Notice tone="bad">{problemOf(found.error)}</Notice>;
  const { problems, audience } = found.data;
  if (audience === null) return <NotYet problems={problems.map(problemSent)} />;
  if (audience.players === 0) {
    return (
      <EmptyState icon={<Users />} title="No players yet">
        Players are created with their first event. This then shows who qualifies.
      </EmptyState>
    );
  }
  const { isEverybody, isEstimate, players, qualifying, evaluated, sample } = audience;
  const about = isEstimate ? "about " : "";
  const shown = isEstimate ? rounded : formatted;
  return (
    <div className="flex flex-col gap-4">
      <div role="status">
        <p className="text-2xl font-semibold tabular-nums">
          {about}
          {shown(qualifying)}
          <span className="text-base font-normal text-quiet">
            {" "}
            of {about}
            {shown(players)} {players === 1 ? "player" : "players"}
          </span>
        </p>
        <p className="text-quiet">
          {isEverybody
            ? "No audience rule: everyone qualifies. "
            : `${shareInWords(qualifying, players)} of the players of this environment qualify now. `}
          {isEstimate && `Estimated from a random sample of ${formatted(evaluated)} players.`}
        </p>
      </div>
      {sample.length > 0 && (
        <section className="flex flex-col gap-2">
          <h3 className="text-sm font-semibold">{sample.length < qualifying ? "Sample" : "Qualifying players"}</h3>
          <ul className="divide-y divide-line rounded-lg border border-line">
            {sample.map(({ externalId, displayName }) => (
              <li key={externalId} className="flex items-baseline gap-2 px-3 py-2">
                <span className="min-w-0 truncate font-mono text-[0.8125rem]">{externalId}</span>
                {displayName !== null && <span className="truncate text-quiet">{displayName}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      <div>
        <Button size="sm" icon={<RefreshCw />} isPending={found.isFetching} onClick={() => void found.refetch()}>
          Refresh
        </Button>
      </div>
    </div>
  );
}

const Looking = () => (
  <div className="flex flex-col gap-3" role="status" aria-label="Checking players">
    <Skeleton className="h-8 w-56" />
    <Skeleton className="w-80" />
    <Skeleton className="h-32" />
  </div>
);

export const rounded = (count: number): string => formatted(Number(count.toPrecision(2)));

/** "31%"; 0 and 100 only when exact. */
export function shareInWords(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  if (part > 0 && percent < 1) return "Less than 1%";
  if (part < whole && percent > 99) return "More than 99%";
  return `${Math.round(percent)}%`;
}
