"use client";

import { Coins, Ellipsis } from "lucide-react";
import dynamic from "next/dynamic";
import { type ComponentType, useState } from "react";
import type { PlayerSeen } from "#server/game/players/contract.dashboard.ts";
import type { ActionProps } from "./action-props.ts";
import { useWhere } from "../../client/where.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { Menu } from "../../components/overlay.tsx";

/** Each dialog is loaded on demand. */
const ACTIONS = {
  adjust: dynamic<ActionProps>(() => import("./adjust-points.tsx"), { ssr: false }),
  profile: dynamic<ActionProps>(() => import("./change-profile.tsx"), { ssr: false }),
  boards: dynamic<ActionProps>(() => import("./hide-from-boards.tsx"), { ssr: false }),
  export: dynamic<ActionProps>(() => import("./export-player.tsx"), { ssr: false }),
  erase: dynamic<ActionProps>(() => import("./erase-player.tsx"), { ssr: false }),
} satisfies Record<string, ComponentType<ActionProps>>;

/** Actions on a player; hidden for Viewers. */
export function PlayerActions({ player }: { player: PlayerSeen }) {
  const { can } = useWhere();
  const [wanted, setWanted] = useState<keyof typeof ACTIONS | null>(null);
  const [isOpen, setOpen] = useState(false);
  /** Each opening starts from the player's present state. */
  const [opening, setOpening] = useState(0);
  if (!can("Support")) return null;
  const ask = (action: keyof typeof ACTIONS) => {
    setWanted(action);
    setOpening((before) => before + 1);
    setOpen(true);
  };
  const Action = wanted === null ? null : ACTIONS[wanted];
  return (
    <>
      <Button icon={<Coins aria-hidden />} onClick={() => ask("adjust")}>
        Adjust points
      </Button>
      <Menu
        trigger={<IconButton label="More actions" icon={<Ellipsis aria-hidden />} />}
        items={[
          { label: "Name and time zone", onSelect: () => ask("profile") },
          {
            label: player.hiddenAt === null ? "Hide from leaderboards" : "Show on leaderboards",
            onSelect: () => ask("boards"),
          },
          { label: "Export as JSON", onSelect: () => ask("export") },
          ...(can("Admin") ? [{ label: "Erase player", isDanger: true, onSelect: () => ask("erase") }] : []),
        ]}
      />
      {Action !== null && <Action key={opening} player={player} open={isOpen} onOpenChange={setOpen} />}
    </>
  );
}
