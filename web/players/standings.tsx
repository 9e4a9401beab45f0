import { useState } from "react";
import { formatted, plural } from "../../server/model/kernel/thousands.ts";
import { orpc, type PlayerSeen, type PlayerStanding, useRead, useWhere } from "../client/service.tsx";
import { Button } from "../components/button.tsx";
import { Loaded } from "../components/problems.tsx";
import { Badge, Card } from "../components/surface.tsx";
import { Instant } from "../components/time.tsx";
import { NamedDefinition } from "./named.tsx";
import { valueInWords } from "./values.ts";
import { CALENDAR, periodsInWords } from "../../server/model/kernel/calendar.ts";
import { RestoreStreakButton } from "./actions/player-actions.tsx";

/** A player's ranks on active leaderboards; the environment may have none. */
export function Standings({ externalId, isHidden }: { externalId: string; isHidden: boolean }) {
  const [isAll, setAll] = useState(false);
  const query = useRead(orpc.players.standings, { externalId });
  const { data } = query;
  if (data === undefined || data.standings.length === 0) {
    return (
      <Card title="Leaderboards">
        <Loaded of={query} what="Standings" className="h-16">
          {() => <p className="text-quiet">No leaderboards yet</p>}
        </Loaded>
      </Card>
    );
  }
  const placed = data.standings.filter(({ own }) => own !== null);
  const others = data.standings.length - placed.length;
  const shown = isAll ? data.standings : placed;
  return (
    <Card
      title="Leaderboards"
      description={isHidden ? "Hidden from leaderboards: scores are kept, and ranked again once the player is shown." : undefined}
      padded={false}
    >
      <ul aria-label="Standings">
        {shown.map((standing) => (
          <StandingRow key={standing.leaderboard} standing={standing} />
        ))}
      </ul>
      {others > 0 && !isAll && (
        <p className="flex items-center gap-2 px-4 py-2 text-[0.8125rem] text-quiet">
          <span className="min-w-0 flex-1">
            Not ranked on {others} {placed.length > 0 && "more "}
            {others === 1 ? "leaderboard" : "leaderboards"}
          </span>
          <Button size="sm" variant="ghost" onClick={() => setAll(true)}>
            Show {others === 1 ? "it" : "them"}
          </Button>
        </p>
      )}
    </Card>
  );
}

function StandingRow({ standing }: { standing: PlayerStanding }) {
  const { timeZone } = useWhere();
  const { leaderboard, own, participants, team, tier, endsAt } = standing;
  const many = plural(participants, team === null ? "player" : "team");
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-4 py-2.5 last:border-b-0">
      <NamedDefinition kind="leaderboards" of={leaderboard} />
      {tier !== null && <Badge tone="info">{tier}</Badge>}
      <span className="ml-auto tabular-nums">
        {own === null ? <span className="text-faint">Not ranked</span> : `Rank ${formatted(own.rank)}`}
      </span>
      <span className="w-full text-xs text-quiet">
        {own === null ? withoutPlace(standing) : `Score ${valueInWords(own.score, timeZone)}, of ${many}`}
        {team !== null && `, for the team ${team}`}
        <Ends at={endsAt} />
      </span>
    </li>
  );
}

const Ends = ({ at }: { at: string | null }) =>
  at !== null && (
    <>
      , ends <Instant value={at} onClock isDue />
    </>
  );

/** Why there is no rank. */
function withoutPlace({ isLocked, tier }: PlayerStanding): string {
  if (isLocked) return "Not in the audience";
  return tier === null ? "No score in this period" : "Not in a group this period yet";
}

/** A player's streaks; the environment may have none. */
export function Streaks({ streaks, externalId }: { streaks: PlayerSeen["streaks"]; externalId: string }) {
  if (streaks.length === 0) {
    return (
      <Card title="Streaks">
        <p className="text-quiet">No streaks yet</p>
      </Card>
    );
  }
  return (
    <Card title="Streaks" padded={false}>
      <ul>
        {streaks.map(({ key, name, cadence, length, longest, endsAt, isQualifiedNow, freezes }) => (
          <li key={key} className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-4 py-2.5 last:border-b-0">
            <NamedDefinition kind="streaks" of={key} />
            {isQualifiedNow && <Badge tone="good">This {CALENDAR[cadence].noun} counts</Badge>}
            <span className="ml-auto tabular-nums">{periodsInWords(length, cadence)}</span>
            {longest > length && <RestoreStreakButton externalId={externalId} streak={key} name={name} />}
            <span className="w-full text-xs text-quiet">
              Longest {periodsInWords(longest, cadence)}
              {freezes > 0 && `, ${plural(freezes, "freeze")} available`}
              <Ends at={endsAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
