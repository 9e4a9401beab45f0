import type { PlayerSeen } from "#server/game/players/contract.dashboard.ts";

/** Props of a player action: open state. */
export interface ActionProps {
  player: PlayerSeen;
  open: boolean;
  onOpenChange(open: boolean): void;
}
