"use client";

import { useState } from "react";
import type { DataImport } from "../../server/operations/imports/contract.dashboard.ts";
import { useAttempt } from "../client/attempt.ts";
import { orpc, rpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { Button } from "../components/button.tsx";
import { ConfirmDialog } from "../components/overlay.tsx";
import { Badge, Card, Notice } from "../components/surface.tsx";
import { Instant } from "../components/time.tsx";
import { ProgressBar } from "./progress-bar.tsx";
import { RefusedLines } from "./refused-lines.tsx";
import { RunImport } from "./run-import.tsx";
import { choicesWords, countsWords, KINDS, STATUS } from "./words.ts";

const UNDER_WAY = ["Uploading", "Checking", "Running"];

/** An import: progress, check results, and actions. */
export function ImportCard({ one }: { one: DataImport }) {
  const { can } = useWhere();
  const { label, tone } = STATUS[one.status];
  const mayRun = can(one.kind === "points" ? "Admin" : "Editor");
  const hasRun = one.status === "Running" || one.status === "Done";
  return (
    <Card
      aria-label={`${KINDS[one.kind].label}: ${one.fileName}`}
      title={
        <span className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 truncate">{one.fileName}</span>
          <Badge tone={tone}>{label}</Badge>
        </span>
      }
      description={
        <>
          {KINDS[one.kind].label} · {one.createdBy} · <Instant value={one.createdAt} />
        </>
      }
      actions={mayRun && (UNDER_WAY.includes(one.status) || one.status === "Ready") && <Cancel one={one} />}
    >
      <div className="flex flex-col gap-3">
        {UNDER_WAY.includes(one.status) && <ProgressBar label={label} value={one.progress} />}
        {one.lines > 0 && (
          <p className="tabular-nums" role="status">
            {countsWords(one)}
          </p>
        )}
        {hasRun && <p className="text-xs text-quiet">{choicesWords(one)}</p>}
        {one.problem && (
          <Notice tone="bad" title={one.lines === 0 || one.applied === 0 ? "The file could not be imported" : "The import stopped"}>
            {one.problem}
          </Notice>
        )}
        {one.refused > 0 && <RefusedLines one={one} />}
        {one.status === "Ready" && mayRun && <RunImport one={one} />}
      </div>
    </Card>
  );
}

function Cancel({ one }: { one: DataImport }) {
  const { scope } = useWhere();
  const [isAsking, setAsking] = useState(false);
  const attempt = useAttempt(orpc.imports.key());
  const cancel = () => attempt("The import was not cancelled", () => rpc.imports.cancel({ ...scope, id: one.id }));
  return (
    <>
      <Button size="sm" onClick={() => (one.status === "Running" ? setAsking(true) : void cancel().catch(() => {}))}>
        {one.status === "Ready" ? "Discard" : "Cancel"}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Stop importing ${one.fileName}?`}
        confirmLabel="Stop the import"
        isDanger
        onConfirm={cancel}
      >
        <p>What was imported so far stays. You can import the same file again later: no line is applied twice.</p>
      </ConfirmDialog>
    </>
  );
}
