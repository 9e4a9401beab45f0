import { Coins, Ellipsis } from "lucide-react";
import type { ComponentType } from "react";
import { type PlayerSeen, useWhere } from "../../client/service.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { dialogOnceOpen, Menu, type Opened, useAsked } from "../../components/overlay.tsx";
import type { ActionProps } from "./reason-dialog.tsx";
import type { GrantProps, RestoreProps } from "./grants.tsx";

const dialog = (name: "ChangeProfile" | "WriteNote" | "HideFromBoards" | "ExportPlayer" | "ErasePlayer") =>
  dialogOnceOpen<ActionProps>(() => import("./dialogs.tsx").then((loaded) => loaded[name]));

const ACTIONS = {
  adjust: dialogOnceOpen<ActionProps>(() => import("./adjust-points.tsx").then((loaded) => loaded.AdjustPoints)),
  profile: dialog("ChangeProfile"),
  note: dialog("WriteNote"),
  boards: dialog("HideFromBoards"),
  export: dialog("ExportPlayer"),
  erase: dialog("ErasePlayer"),
};

/** Actions on a player; hidden for Viewers. */
export function PlayerActions({ player }: { player: PlayerSeen }) {
  const { can } = useWhere();
  const { asked, opening, ask, opened } = useAsked<keyof typeof ACTIONS>();
  if (!can("Support")) return null;
  const Action = asked && ACTIONS[asked];
  return (
    <>
      <Button icon={<Coins />} opens={ACTIONS.adjust} onClick={() => ask("adjust")}>
        Adjust points
      </Button>
      <Menu
        trigger={<IconButton label="More actions" variant="secondary" icon={<Ellipsis />} aria-keyshortcuts="." />}
        items={[
          { label: "Write a note", onSelect: () => ask("note") },
          { label: "Name and time zone", onSelect: () => ask("profile") },
          {
            label: player.hiddenAt === null ? "Hide from leaderboards" : "Show on leaderboards",
            onSelect: () => ask("boards"),
          },
          { label: "Export as JSON", onSelect: () => ask("export") },
          ...(can("Admin") ? [{ label: "Erase player", isDanger: true, onSelect: () => ask("erase") }] : []),
        ]}
      />
      {Action !== null && <Action key={opening} player={player} {...opened} />}
    </>
  );
}

/** A button whose dialog is loaded on demand. Hidden for Viewers. */
function actionButton<Props extends Opened & { name: string }>(words: string, title: string, load: () => Promise<ComponentType<Props>>) {
  const Asking = dialogOnceOpen(load);
  return function ActionButton(props: Omit<Props, keyof Opened>) {
    const { can } = useWhere();
    const { asked, opening, ask, opened } = useAsked<true>();
    if (!can("Support")) return null;
    return (
      <>
        <Button size="sm" className="self-start" opens={Asking} aria-label={`${title}: ${props.name}`} onClick={() => ask(true)}>
          {words}
        </Button>
        {asked && <Asking key={opening} {...({ ...props, ...opened } as unknown as Props)} />}
      </>
    );
  };
}

export const GrantMissionButton = actionButton<GrantProps>("Grant mission", "Grant mission", () =>
  import("./grants.tsx").then((loaded) => loaded.Grant),
);
export const GrantObjectiveButton = actionButton<GrantProps>("Grant", "Grant objective", () =>
  import("./grants.tsx").then((loaded) => loaded.Grant),
);
export const RestoreStreakButton = actionButton<RestoreProps>("Restore", "Restore streak", () =>
  import("./grants.tsx").then((loaded) => loaded.RestoreStreak),
);
