import { instantInWords, longDate } from "../../server/model/kernel/dates.ts";
import { formatted } from "../../server/model/kernel/thousands.ts";
import { type PlayerSeen, useWhere } from "../client/service.tsx";
import { CopyButton } from "../components/code.tsx";
import { Badge, Card, DefinitionItem } from "../components/surface.tsx";
import { Instant } from "../components/time.tsx";
import { adjustedOf } from "./values.ts";

export function Profile({ player }: { player: PlayerSeen }) {
  const { timeZone } = useWhere();
  const { externalId, displayName, balance, createdAt, hiddenAt, hiding, lastActiveOn } = player;
  return (
    <Card className="mb-5">
      <div className="grid gap-x-8 gap-y-5 lg:grid-cols-[fit-content(50%)_1fr]">
        <dl className="flex flex-wrap items-end gap-x-6 gap-y-3 lg:border-r lg:border-line lg:pr-8">
          <div className="basis-full">
            <dt className="text-xs text-quiet">Points</dt>
            <dd className="mt-0.5 text-3xl leading-tight font-semibold tracking-tight wrap-anywhere tabular-nums">
              {formatted(balance.balance)}
            </dd>
          </div>
          <Amount term="Earned" points={balance.totalGranted} />
          <Amount term="Spent" points={balance.totalSpent} />
          <Amount term="Adjusted" points={adjustedOf(balance)} />
        </dl>
        <dl className="grid grid-cols-2 content-center gap-4 md:grid-cols-3">
          <DefinitionItem term="ID">
            <span className="flex min-w-0 items-center gap-1">
              <code className="min-w-0 truncate font-mono text-[0.8125rem]" title={externalId}>
                {externalId}
              </code>
              <CopyButton text={externalId} label="Copy ID" />
            </span>
          </DefinitionItem>
          <DefinitionItem term="Name">{displayName ?? <span className="text-faint">None</span>}</DefinitionItem>
          {hiddenAt !== null && (
            <DefinitionItem term="Leaderboards">
              <Badge tone="warn">Hidden</Badge>
              <span className="block text-xs text-faint">
                Since {instantInWords(hiddenAt, timeZone)}
                {hiding !== null && `, by ${hiding.actor}`}
              </span>
              {hiding?.reason != null && <span className="block text-xs text-quiet wrap-anywhere">“{hiding.reason}”</span>}
            </DefinitionItem>
          )}
          <DefinitionItem term="Time zone">{player.timeZone ?? `${timeZone} (the project’s)`}</DefinitionItem>
          <DefinitionItem term="First seen">
            <Instant value={createdAt} onClock />
            <span className="block text-xs text-faint">{instantInWords(createdAt, timeZone)}</span>
          </DefinitionItem>
          <DefinitionItem term="Last active">
            {lastActiveOn === null ? <span className="text-faint">No events yet</span> : longDate(lastActiveOn)}
          </DefinitionItem>
        </dl>
      </div>
    </Card>
  );
}

const Amount = ({ term, points }: { term: string; points: number }) => (
  <DefinitionItem term={term}>
    <span className="tabular-nums">{formatted(points)}</span>
  </DefinitionItem>
);
