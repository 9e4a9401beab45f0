import { useState } from "react";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { type Answers, type DataImport, orpc, useRead, useWhere } from "../client/service.tsx";
import { Button, buttonClasses } from "../components/button.tsx";
import { ConfirmDialog } from "../components/overlay.tsx";
import { Badge, Card, Notice, ProgressBar } from "../components/surface.tsx";
import { Instant } from "../components/time.tsx";
import { choicesWords, countsWords, IMPORT_KINDS, STATUS } from "./words.ts";
import { plural } from "../../server/model/kernel/thousands.ts";
import { exportHref } from "../client/export-href.ts";
import { column, DataTable } from "../components/table.tsx";
import { RadioCards } from "../components/choice.tsx";
import { Switch } from "../components/toggle.tsx";
import { ENVIRONMENT_NAMES } from "../components/environment-badge.tsx";
import { Select } from "../components/lazy-controls.tsx";

const UNDER_WAY = ["Uploading", "Checking", "Running"];

export function ImportCard({ one }: { one: DataImport }) {
  const { can } = useWhere();
  const { label, tone } = STATUS[one.status];
  const mayRun = can(one.kind === "points" ? "Admin" : "Editor");
  const hasRun = one.status === "Running" || one.status === "Done";
  return (
    <Card
      aria-label={`${IMPORT_KINDS[one.kind].label}: ${one.fileName}`}
      title={
        <span className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 truncate">{one.fileName}</span>
          <Badge tone={tone}>{label}</Badge>
        </span>
      }
      description={
        <>
          {IMPORT_KINDS[one.kind].label} · {one.createdBy} · <Instant value={one.createdAt} />
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
          <Notice tone="bad" title={one.applied === 0 ? "The file could not be imported" : "The import stopped"}>
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
  const cancel = useMutation(
    orpc.imports.cancel.mutationOptions({ meta: { failure: "The import was not cancelled", touches: [orpc.imports.key()] } }),
  );
  const input = { ...scope, id: one.id };
  return (
    <>
      <Button size="sm" isPending={cancel.isPending} onClick={() => (one.status === "Running" ? setAsking(true) : cancel.mutate(input))}>
        {one.status === "Ready" ? "Discard" : "Cancel"}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Stop importing ${one.fileName}?`}
        confirmLabel="Stop the import"
        isDanger
        onConfirm={() => cancel.mutateAsync(input)}
      >
        <p>The lines imported so far stay. You can import the same file again later: no line is applied twice.</p>
      </ConfirmDialog>
    </>
  );
}

const SHOWN = 10;

/** The first refused lines with reasons, and a download of all. */
function RefusedLines({ one: { id, refused } }: { one: DataImport }) {
  const { scope, can } = useWhere();
  const query = orpc.imports.refused.queryOptions({ input: { ...scope, id, limit: SHOWN } });
  // Their number is in the key: while the file is checked or imported, there are more of them.
  const { data } = useQuery({ ...query, queryKey: [...query.queryKey, refused] as never, placeholderData: keepPreviousData });
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
        <h3 className="min-w-0 flex-1 text-[0.8125rem] font-medium">{plural(refused, "refused line")}</h3>
        {can("Support") && (
          <a className={buttonClasses({ size: "sm" })} href={exportHref(scope, "refused-lines", "csv", { import: id })} download>
            <Download />
            CSV with reasons
          </a>
        )}
      </div>
      {data && (
        <DataTable<Answers["imports"]["refused"]["lines"][number]>
          label="Refused lines"
          columns={[
            column("Line", ({ line }) => <span className="tabular-nums">{line}</span>, "w-20"),
            column("Reason", ({ problems }) => <span className="wrap-anywhere">{problems.join(" ")}</span>),
            column(
              "Content",
              ({ content }) => <span className="line-clamp-2 font-mono text-xs text-quiet wrap-anywhere">{content}</span>,
              "max-md:hidden",
            ),
          ]}
          rows={data.lines}
          rowKey={({ line }) => String(line)}
        />
      )}
    </div>
  );
}

type Enters = DataImport["enters"];

/** Side effects of an import, and its start button. */
function RunImport({ one }: { one: DataImport }) {
  const { scope, environment } = useWhere();
  const [enters, setEnters] = useState<Enters>("Nobody");
  const [segmentKey, setSegmentKey] = useState<string | null>(null);
  const [notifies, setNotifies] = useState(false);
  const start = useMutation(
    orpc.imports.start.mutationOptions({ meta: { failure: "The import did not start", touches: [orpc.imports.key()] } }),
  );
  const count = one.lines - one.refused;
  if (count === 0) return <p className="text-quiet">No line of this file can be imported.</p>;
  const when = one.kind === "events" ? "before their events, so that these count" : "after their lines";
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      <div className="flex flex-col gap-1.5">
        <h3 className="text-[0.8125rem] font-medium">Enter players into missions</h3>
        <p className="text-xs text-quiet">They are entered {when}. Players who are already in a mission are not affected.</p>
        <RadioCards<Enters>
          label="Enter players into missions"
          value={enters}
          onValueChange={setEnters}
          className="mt-1 sm:grid-cols-3"
          options={[
            { value: "Nobody", label: "None", hint: "They enter when their missions are next read" },
            { value: "Segment", label: "A segment", hint: "Only players in it at that time" },
            { value: "Everybody", label: "All", hint: "All players of the file" },
          ]}
        />
        {enters === "Segment" && <ChooseSegment value={segmentKey} onValueChange={setSegmentKey} />}
      </div>
      <Switch
        checked={notifies}
        onCheckedChange={setNotifies}
        label="Send webhooks"
        hint="For the missions, rewards and milestones that these lines cause. Off: no webhooks are sent."
      />
      <div>
        <Button
          variant="primary"
          isPending={start.isPending}
          disabled={enters === "Segment" && segmentKey === null}
          onClick={() => start.mutate({ ...scope, id: one.id, enters, segmentKey, notifies })}
        >
          Import {plural(count, "line")} into {ENVIRONMENT_NAMES[environment]}
        </Button>
      </div>
    </div>
  );
}

function ChooseSegment({ value, onValueChange }: { value: string | null; onValueChange(key: string): void }) {
  const { data } = useRead(orpc.definitions.catalogue);
  const segments = data?.segments.filter(({ active }) => active);
  if (segments?.length === 0) return <p className="text-[0.8125rem] text-quiet">No segments are switched on. Create one first.</p>;
  return (
    <Select
      aria-label="Segment"
      value={value}
      onValueChange={onValueChange}
      placeholder="Choose a segment…"
      className="max-w-sm"
      options={(segments ?? []).map(({ key, name }) => ({ value: key, label: name }))}
    />
  );
}
