import type { PlayerSeen } from "#server/game/players/contract.dashboard.ts";

/** What each action on a player is given: it is open or it is not. */
export interface ActionProps {
  player: PlayerSeen;
  open: boolean;
  onOpenChange(open: boolean): void;
}
