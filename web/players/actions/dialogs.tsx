import { useState } from "react";
import { MAX_NOTE_LENGTH } from "#server/model/kernel/input-text.ts";
import { saveBlob } from "../../client/export-href.ts";
import { useOpenAfter } from "../../client/leaving.ts";
import { orpc, rpc, useWhere } from "../../client/service.tsx";
import { zoneOptions } from "../../components/choice.tsx";
import { Combobox } from "../../components/combobox.tsx";
import { FormDialog, useSave } from "../../components/form-dialog.tsx";
import { Field, TextArea, TextInput } from "../../components/inputs.tsx";
import { PLAYER_QUERIES } from "../player-queries.ts";
import { ExportWriter } from "./export-writer.ts";
import { type ActionProps, ReasonDialog } from "./reason-dialog.tsx";

const MAX_NAME_LENGTH = 200;

export function ChangeProfile({ player: { externalId, displayName, timeZone }, ...opened }: ActionProps) {
  const { scope, timeZone: projectZone } = useWhere();
  const [name, setName] = useState(displayName ?? "");
  const [zone, setZone] = useState(timeZone);
  // The profile on opening: undoing restores it.
  const [before] = useState({ displayName, timeZone });
  const wanted = { displayName: name.trim() === "" ? null : name.trim(), timeZone: zone };
  const isChanged = wanted.displayName !== before.displayName || wanted.timeZone !== before.timeZone;
  return (
    <ReasonDialog
      {...opened}
      title="Name and time zone"
      confirmLabel="Save"
      isDisabled={!isChanged}
      act={(reason) => rpc.players.changeProfile({ ...scope, externalId, ...wanted, reason })}
      done={() => ({ title: "Player saved" })}
      undo={(reason) => rpc.players.changeProfile({ ...scope, externalId, ...before, reason })}
      failed="The player was not saved"
    >
      <div className="flex flex-col gap-4 text-ink">
        <Field label="Name" optional hint="What leaderboards show.">
          <TextInput value={name} onValueChange={setName} maxLength={MAX_NAME_LENGTH} autoComplete="off" />
        </Field>
        <Field label="Time zone" optional hint={`Empty: the project’s, ${projectZone}. Running periods keep their end.`}>
          <Combobox value={zone} onValueChange={setZone} options={zoneOptions()} isClearable placeholder={projectZone} />
        </Field>
      </div>
    </ReasonDialog>
  );
}

/** Writes a note about a player, for the team. */
export function WriteNote({ player: { externalId }, open, onOpenChange }: ActionProps) {
  const { scope } = useWhere();
  const [note, setNote] = useState("");
  const save = useSave({ touches: PLAYER_QUERIES, done: "Note saved" }, async () => {
    await rpc.players.writeNote({ ...scope, externalId, note });
    onOpenChange(false);
  });
  return (
    <FormDialog
      open={open}
      onClose={() => onOpenChange(false)}
      title="Write a note"
      description="For your team, in the player’s timeline. Players never see it."
      submitLabel="Save note"
      save={save}
    >
      <Field label="Note">
        <TextArea value={note} onValueChange={setNote} required maxLength={MAX_NOTE_LENGTH} rows={4} autoFocus />
      </Field>
    </FormDialog>
  );
}

/** Hides a player from all leaderboards, or shows them again. */
export function HideFromBoards({ player: { externalId, hiddenAt }, ...opened }: ActionProps) {
  const { scope } = useWhere();
  // The state on opening: it is inverted by the action.
  const [isHiding] = useState(hiddenAt === null);
  const turn = (hides: boolean, reason: string) =>
    hides ? rpc.players.hideFromBoards({ ...scope, externalId, reason }) : rpc.players.showOnBoards({ ...scope, externalId, reason });
  return (
    <ReasonDialog
      {...opened}
      title={isHiding ? "Hide from leaderboards?" : "Show on leaderboards?"}
      confirmLabel={isHiding ? "Hide" : "Show"}
      isDanger={isHiding}
      act={(reason) => turn(isHiding, reason)}
      done={() => ({ title: isHiding ? "Hidden from leaderboards" : "Shown on leaderboards" })}
      undo={(reason) => turn(!isHiding, reason)}
      failed={isHiding ? "The player was not hidden" : "The player was not shown"}
    >
      <ul className="flex list-disc flex-col gap-1 pl-4">
        {isHiding ? (
          <>
            <li>The player leaves every leaderboard immediately, and wins no prizes while hidden.</li>
            <li>What they scored for a team no longer counts for it.</li>
            <li>Their scores are still kept, so they can be shown again. Settled periods stay as they are.</li>
          </>
        ) : (
          <>
            <li>The player is back on every leaderboard immediately, with the scores they would have had.</li>
            <li>Periods that were settled meanwhile stay without them.</li>
          </>
        )}
      </ul>
    </ReasonDialog>
  );
}

/** Exports all of a player's data as one JSON file. */
export function ExportPlayer({ player: { externalId }, ...opened }: ActionProps) {
  const { scope } = useWhere();
  const [count, setCount] = useState<number | null>(null);
  const save = async (reason: string) => {
    setCount(0);
    const writer = new ExportWriter();
    let { next }: { next: string | null } = await rpc.privacy.beginExport({ ...scope, externalId, reason });
    while (next !== null) {
      const page: { section: string; rows: string[]; next: string | null } = await rpc.privacy.exportPage({
        ...scope,
        externalId,
        cursor: next,
      });
      writer.add(page.section, page.rows);
      setCount(writer.rows);
      next = page.next;
    }
    saveBlob(`player-${externalId.replaceAll(/[^\w.-]+/g, "_")}.json`, writer.file());
  };
  return (
    <ReasonDialog
      {...opened}
      title="Export as JSON"
      confirmLabel="Export"
      act={(reason) => save(reason).finally(() => setCount(null))}
      done={() => ({ title: "Player exported" })}
      failed="The export failed"
      below={
        count !== null && (
          <p aria-live="polite" className="text-quiet tabular-nums">
            {count} records
          </p>
        )
      }
    >
      <p>Everything stored about the player: profile, attributes, events, points, missions, purchases, streaks and scores.</p>
    </ReasonDialog>
  );
}

/** Erases a player for good, once their id is typed. */
export function ErasePlayer({ player: { externalId }, ...opened }: ActionProps) {
  const { scope, href } = useWhere();
  const { open } = useOpenAfter();
  const erase = async (reason: string) => {
    await rpc.privacy.erase({ ...scope, externalId, reason, confirmation: externalId });
    open(href("/players"));
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
