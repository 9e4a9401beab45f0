"use client";

import type { PlayerSeen } from "../../server/game/players/contract.dashboard.ts";
import { CALENDAR, periodsInWords } from "../../server/model/kernel/calendar.ts";
import { Badge, Card } from "../components/surface.tsx";
import { Instant } from "../components/time.tsx";
import { RestoreButton } from "./actions/action-button.tsx";
import { Named } from "./named.tsx";

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
            <Named kind="streaks" of={key} />
            {isQualifiedNow && <Badge tone="good">This {CALENDAR[cadence].noun} counts</Badge>}
            <span className="ml-auto tabular-nums">{periodsInWords(length, cadence)}</span>
            {longest > length && <RestoreButton externalId={externalId} streak={key} name={name} />}
            <span className="w-full text-xs text-quiet">
              Longest {periodsInWords(longest, cadence)}
              {freezes > 0 && `, ${freezes} ${freezes === 1 ? "freeze" : "freezes"} available`}
              {endsAt !== null && (
                <>
                  , ends <Instant value={endsAt} onClock isDue />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
