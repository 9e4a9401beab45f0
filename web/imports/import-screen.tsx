"use client";

import { FileInput } from "lucide-react";
import { useState } from "react";
import { type DataImport, orpc, useAttempt, useRead, useWhere } from "../client/service.tsx";
import { Page } from "../components/page.tsx";
import { ReadFailed } from "../components/problems.tsx";
import { Card, EmptyState, Notice, ProgressBar } from "../components/surface.tsx";
import { ImportCard } from "./import-card.tsx";
import { FileButton } from "../components/file-button.tsx";
import { RadioCards } from "../components/choice.tsx";
import { Field, TextInput } from "../components/inputs.tsx";
import { useUnloadGuard } from "../components/unsaved.tsx";
import { encodingRefusal } from "../client/file-text.ts";
import { MAX_BYTES, upload } from "./upload.ts";
import { IMPORT_KINDS } from "./words.ts";

const REFRESH_MS = 1_000;
const UNFINISHED: readonly DataImport["status"][] = ["Checking", "Running"];

export function ImportScreen() {
  const { can } = useWhere();
  const { data, error, refetch } = useRead(
    orpc.imports.list,
    {},
    { refetchInterval: ({ state }) => (state.data?.imports.some(({ status }) => UNFINISHED.includes(status)) ? REFRESH_MS : false) },
  );
  return (
    <Page title="Import data" description="Players, attributes, historical events and points, from CSV or JSON lines.">
      <div className="flex flex-col gap-4">
        {can("Editor") ? <NewImport /> : <Notice>Importing needs the Editor role. Ask an Admin or Owner of the project.</Notice>}
        <ReadFailed title="Imports could not be loaded" error={error} onRetry={refetch} />
        {data?.imports.length === 0 && (
          <Card>
            <EmptyState icon={<FileInput />} title="No imports yet">
              Imports are listed here with their progress and the lines they refused.
            </EmptyState>
          </Card>
        )}
        {data?.imports.map((one) => (
          <ImportCard key={one.id} one={one} />
        ))}
      </div>
    </Page>
  );
}

type Kind = DataImport["kind"];

/** Chooses a file. It is uploaded and checked; the import itself needs confirmation of the result. */
function NewImport() {
  const { can } = useWhere();
  const [kind, setKind] = useState<Kind>("players");
  const [reason, setReason] = useState("");
  const options = (Object.entries(IMPORT_KINDS) as [Kind, (typeof IMPORT_KINDS)[Kind]][]).map(([value, { label, hint }]) => ({
    value,
    label,
    hint: value === "points" && !can("Admin") ? "Needs the Admin role" : hint,
    disabled: value === "points" && !can("Admin"),
  }));
  return (
    <Card title="New import" description="The file is checked first. Nothing is imported before you have seen the result.">
      <div className="flex flex-col gap-4">
        <RadioCards<Kind> label="File contents" value={kind} onValueChange={setKind} options={options} className="lg:grid-cols-4" />
        <Example kind={kind} />
        {kind === "points" && (
          <Field label="Reason" required hint="Shown in each player's points history. The same line with the same reason is imported once.">
            <TextInput value={reason} onValueChange={setReason} maxLength={500} className="max-w-md" />
          </Field>
        )}
        <ChooseFile kind={kind} reason={kind === "points" ? reason : null} />
      </div>
    </Card>
  );
}

function Example({ kind }: { kind: Kind }) {
  const { csv, jsonl } = IMPORT_KINDS[kind];
  return (
    <div className="grid min-w-0 gap-2">
      {[
        ["CSV", csv],
        ["JSON lines", jsonl],
      ].map(([label, text]) => (
        <figure key={label} className="min-w-0">
          <figcaption className="mb-1 text-xs text-quiet">{label}, for example</figcaption>
          <pre
            tabIndex={0}
            aria-label={`Example of ${label}`}
            className="overflow-x-auto rounded-lg border border-line bg-raised px-3 py-2 font-mono text-xs"
          >
            {text}
          </pre>
        </figure>
      ))}
    </div>
  );
}

function ChooseFile({ kind, reason }: { kind: Kind; reason: string | null }) {
  const { scope } = useWhere();
  const [progress, setProgress] = useState<number | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const attempt = useAttempt(orpc.imports.key());
  useUnloadGuard(progress !== null);
  const choose = async (file: File) => {
    setProgress(0);
    const isTooLarge = file.size > MAX_BYTES;
    const refused = isTooLarge ? `${file.name} is larger than 250 MiB. Split it into several files.` : await encodingRefusal(file);
    setRefusal(refused);
    if (refused === null) {
      await attempt("The file was not uploaded", () => upload(scope, { kind, file, reason }, setProgress)).catch(() => {});
    }
    setProgress(null);
  };
  return (
    <>
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      <div className="flex flex-wrap items-center gap-4">
        <FileButton
          label="File to import"
          accept=".csv,.tsv,.txt,.jsonl,.ndjson,.json,text/csv,application/json"
          variant="primary"
          isPending={progress !== null}
          disabled={reason !== null && reason.trim() === ""}
          onChoose={choose}
        >
          Choose a file
        </FileButton>
        {progress !== null && (
          <div className="w-48">
            <ProgressBar label="Upload" value={progress} />
          </div>
        )}
      </div>
    </>
  );
}
