"use client";

import { useState } from "react";
import { rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { ConfirmDialog } from "../../components/overlay.tsx";
import { useToast } from "../../components/toast.tsx";
import { ExportWriter } from "./export-writer.ts";
import type { ActionProps } from "./action-props.ts";
import { ReasonField } from "./reason-field.tsx";
import { usePlayerAction } from "./use-player-action.ts";

/** Exports all of a player's data as one JSON file. */
export default function ExportPlayer({ player, open, onOpenChange }: ActionProps) {
  const { scope } = useWhere();
  const { externalId } = player;
  const toast = useToast();
  const [reason, setReason] = useState("");
  const [count, setCount] = useState(0);
  const { mutateAsync, error, reset, isPending } = usePlayerAction(async () => {
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
    return writer.file();
  });
  const save = async () => {
    setCount(0);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await mutateAsync());
    link.download = `player-${externalId.replaceAll(/[^\w.-]+/g, "_")}.json`;
    link.click();
    URL.revokeObjectURL(link.href);
    toast({ title: "Player exported" });
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Export as JSON"
      confirmLabel="Export"
      isDisabled={reason.trim() === ""}
      onConfirm={save}
      failure={{ title: "The export failed", error, reset }}
    >
      <div className="flex flex-col gap-4">
        <p>Everything stored about the player: profile, attributes, events, points, missions, purchases, streaks and scores.</p>
        <div className="text-ink">
          <ReasonField value={reason} onValueChange={setReason} />
        </div>
        {isPending && (
          <p aria-live="polite" className="tabular-nums">
            {count} records
          </p>
        )}
      </div>
    </ConfirmDialog>
  );
}
