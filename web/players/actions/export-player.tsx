import { useState } from "react";
import { rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { saveBlob } from "../../client/export-href.ts";
import { ExportWriter } from "./export-writer.ts";
import { type ActionProps, ReasonDialog } from "./reason-dialog.tsx";

/** Exports all of a player's data as one JSON file. */
export default function ExportPlayer({ player: { externalId }, ...opened }: ActionProps) {
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
