import { useRouter } from "next/navigation";
import { orpc, rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { type ActionProps, ReasonDialog } from "./reason-dialog.tsx";

/** Erases a player for good, once their id is typed. */
export default function ErasePlayer({ player: { externalId }, ...opened }: ActionProps) {
  const { scope, href } = useWhere();
  const router = useRouter();
  const erase = async (reason: string) => {
    await rpc.privacy.erase({ ...scope, externalId, reason, confirmation: externalId });
    router.push(href("/players"));
  };
  return (
    <ReasonDialog
      {...opened}
      title="Erase this player?"
      confirmLabel="Erase player"
      isDanger
      typed={externalId}
      hint="Shown in the audit log. Do not name the player."
      act={erase}
      done={() => ({ title: "Player erased" })}
      failed="The player was not erased"
      // The player's page keeps its data until it is left: the player cannot be fetched any more.
      touches={[orpc.players.list.key()]}
    >
      <ul className="flex list-disc flex-col gap-1 pl-4">
        <li>Events, attributes, missions, streaks and scores are deleted, and webhooks about the player, sent or not.</li>
        <li>Points and purchases stay without a name, so that totals and stock still add up.</li>
        <li>The audit log forgets the player’s ID, names and reasons.</li>
        <li>If your backend sends this ID again, it is a new player. This cannot be undone.</li>
      </ul>
    </ReasonDialog>
  );
}
