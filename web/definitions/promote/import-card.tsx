import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FileJson } from "lucide-react";
import { useRef, useState } from "react";
import { type Answers, orpc, rpc, useAttempt, useWhere } from "../../client/service.tsx";
import { byKind, choiceKey } from "./chosen.ts";
import { encodingRefusal } from "../../client/file-text.ts";
import { FileButton } from "../../components/file-button.tsx";
import { ENVIRONMENT_NAMES } from "../../components/environment-badge.tsx";
import { Button } from "../../components/button.tsx";
import { Switch } from "../../components/toggle.tsx";
import { ConfirmDialog, useAsked } from "../../components/overlay.tsx";
import { ProblemList, problemOf } from "../../components/problems.tsx";
import { Badge, Card, Notice, Skeleton, type Tone } from "../../components/surface.tsx";
import { useToast } from "../../components/toast.tsx";
import { Differences } from "../history/lazy-differences.tsx";
import { countWords, kindTitle } from "./names.ts";
import { plural } from "#server/model/kernel/thousands.ts";

/** The service accepts 4 MiB, including the envelope of the call. */
const MAX = 3.5 * 1024 * 1024;

interface Chosen {
  /** An id for each chosen file, even the same file again: the text is too long to compare. */
  id: number;
  name: string;
  text: string;
  prune: boolean;
}

/** Imports a definitions file: first a preview with all changes or problems, then the import. */
export function DefinitionsImport() {
  const { environment, can } = useWhere();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const choices = useRef(0);
  const here = ENVIRONMENT_NAMES[environment];

  async function choose(file: File): Promise<void> {
    const tooLarge = file.size > MAX ? `${file.name} is ${(file.size / 1024 / 1024).toFixed(0)} MiB. The limit is 3.5 MiB.` : null;
    const refused = tooLarge ?? (await encodingRefusal(file));
    setRefusal(refused);
    setChosen(refused !== null ? null : { id: ++choices.current, name: file.name, text: await file.text(), prune: false });
  }

  return (
    <Card title="Import" description={`Imports a definitions file into ${here}, all or nothing. You see the changes first.`}>
      {can("Editor") ? (
        <div className="flex flex-col items-start gap-4">
          <FileButton label="Definitions file" accept=".json,application/json" onChoose={choose}>
            {chosen === null ? "Choose a file" : "Choose another file"}
          </FileButton>
          {refusal && <Notice tone="bad">{refusal}</Notice>}
          {chosen && <ImportReview chosen={chosen} onPrune={(prune) => setChosen({ ...chosen, prune })} onDone={() => setChosen(null)} />}
        </div>
      ) : (
        <Notice>Importing needs the Editor role. Ask an Admin or Owner of the project.</Notice>
      )}
    </Card>
  );
}

function ImportReview({ chosen, onPrune, onDone }: { chosen: Chosen; onPrune(prune: boolean): void; onDone(): void }) {
  const { scope, environment, needsApproval } = useWhere();
  const toast = useToast();
  const { asked, ask, opened } = useAsked<Answers["definitions"]["planFile"]>();
  const here = ENVIRONMENT_NAMES[environment];
  const { id, text, prune, name } = chosen;
  const dry = useQuery({
    queryKey: [...orpc.definitions.planFile.key(), id, prune],
    queryFn: ({ signal }) => rpc.definitions.planFile({ ...scope, text, prune }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const attempt = useAttempt(orpc.definitions.key());

  async function confirm(): Promise<void> {
    const { version } = asked!;
    // A refusal closes the question: the plan is read again, and may have other changes.
    const result = await attempt("Nothing was imported", () => rpc.definitions.importFile({ ...scope, text, prune, version })).catch(
      () => null,
    );
    if (result === null || result.problems.length > 0) return;
    toast({ title: `${name} was imported into ${here}: ${countWords(result.changes)}` });
    onDone();
  }

  const { data } = dry;
  const isReady = data !== undefined && data.problems.length === 0 && data.changes.length > 0 && !dry.isFetching;
  return (
    <div className="flex w-full min-w-0 flex-col gap-4 border-t border-line pt-4" aria-busy={dry.isFetching}>
      <p className="flex items-center gap-2 font-medium wrap-anywhere">
        <FileJson className="size-4 shrink-0 text-quiet" />
        {name}
      </p>
      <Switch
        checked={prune}
        onCheckedChange={onPrune}
        label="Switch off what the file leaves out"
        hint="Applies to the lists in the file. Otherwise what the file leaves out does not change."
      />
      {dry.isError && <Notice tone="bad">{problemOf(dry.error)}</Notice>}
      {data === undefined && !dry.isError && <Skeleton className="h-24" />}
      {data && <ProblemList problems={data.problems} title={problemTitle(data.problems.length)} />}
      {data?.problems.length === 0 && <ImportChanges changes={data.changes} />}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" disabled={!isReady} onClick={() => ask(data!)}>
          Import into {here}
        </Button>
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
      <ConfirmDialog
        {...opened}
        title={`Import into ${here}?`}
        confirmLabel={`Import into ${here}`}
        isDanger={asked?.changes.some(({ sign }) => sign === "-")}
        onConfirm={confirm}
      >
        <p>
          {name}: {countWords(asked?.changes ?? [])}.{" "}
          {environment === "live" &&
            (needsApproval ? "Another person approves it first." : "Players see the changes from their next request.")}
        </p>
      </ConfirmDialog>
    </div>
  );
}

const problemTitle = (count: number): string => `Fix ${plural(count, "problem")} in the file`;

type Change = Answers["definitions"]["importFile"]["changes"][number];

const SIGNS: Record<Change["sign"], [Tone, string]> = { "+": ["good", "New"], "~": ["warn", "Changed"], "-": ["bad", "Switched off"] };

/** The changes of an import, by kind and field. */
function ImportChanges({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <Notice>No changes: everything in the file already exists.</Notice>;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-quiet">Changes: {countWords(changes)}.</p>
      {byKind(changes).map(([kind, ones]) => (
        <section key={kind}>
          <h3 className="text-[0.8125rem] font-semibold">{kindTitle(kind)}</h3>
          <ul className="mt-1 divide-y divide-line rounded-lg border border-line">
            {ones.map((one) => (
              <li key={choiceKey(one)} className="px-3 py-2">
                <p className="flex flex-wrap items-center gap-2">
                  {kind !== "settings" && <code className="font-mono text-xs wrap-anywhere">{one.key}</code>}
                  <Badge tone={SIGNS[one.sign][0]}>{SIGNS[one.sign][1]}</Badge>
                </p>
                {one.sign === "~" && <Differences of={one} />}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
