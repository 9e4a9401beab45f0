import { formatted } from "../../server/model/kernel/thousands.ts";
import { type Column, column, numericColumn } from "../components/table.tsx";

interface Shown {
  externalId: string;
  displayName: string | null;
  balance: number;
}

/** A player's name with the ID below it, or the ID alone. */
export const PlayerName = ({ of: { externalId, displayName } }: { of: Pick<Shown, "externalId" | "displayName"> }) => (
  <span className="block min-w-0">
    <span dir="auto" className="block w-fit max-w-full truncate">
      {displayName ?? externalId}
    </span>
    {displayName !== null && <span className="block truncate font-mono text-xs font-normal text-quiet">{externalId}</span>}
  </span>
);

export const PLAYER_COLUMNS: readonly Column<Shown>[] = [
  column("Player", (player) => <PlayerName of={player} />),
  numericColumn("Points", ({ balance }) => <span className="text-quiet">{formatted(balance)}</span>),
];
