import { useRef, useState } from "react";
import { languageName } from "#server/model/kernel/languages.ts";
import { formatted, plural } from "#server/model/kernel/thousands.ts";
import { type Answers, orpc, rpc, useAttempt, useWhere } from "../../client/service.tsx";
import { encodingRefusal } from "../../client/file-text.ts";
import { FileButton } from "../../components/file-button.tsx";
import { Button } from "../../components/button.tsx";
import { ENVIRONMENT_NAMES } from "../../components/environment-badge.tsx";
import { Sheet, type Opened } from "../../components/overlay.tsx";
import { ProblemList, problemOf } from "../../components/problems.tsx";
import { Notice, Skeleton } from "../../components/surface.tsx";
import { useToast } from "../../components/toast.tsx";
import { pathInWords } from "../document/labels.ts";

type Answer = Answers["definitions"]["importTexts"];

interface Chosen {
  name: string;
  text: string;
  /** Null until the dry run is done. */
  dry: Answer | null;
}

/** The service accepts 4 MiB, including the envelope of the call. */
const MAX = 3.5 * 1024 * 1024;

/** Imports a file of texts: first a dry run with all changes and rejections, then the import. */
export function ImportSheet({ open, onOpenChange }: Opened) {
  const { scope, environment } = useWhere();
  const toast = useToast();
  const attempt = useAttempt(orpc.definitions.key());
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isWriting, setWriting] = useState(false);
  const here = ENVIRONMENT_NAMES[environment];

  const latest = useRef(0);
  /** Begins a review: what an earlier one finds later is not shown. */
  const begin = () => {
    const review = ++latest.current;
    return (next: Chosen | null, refused: string | null = null) => {
      if (review !== latest.current) return;
      setChosen(next);
      setRefusal(refused);
    };
  };
  const look = async (name: string, text: string, show = begin()) => {
    show({ name, text, dry: null });
    try {
      show({ name, text, dry: await rpc.definitions.importTexts({ ...scope, text, dryRun: true }) });
    } catch (error) {
      show(null, problemOf(error));
    }
  };
  const choose = async (file: File) => {
    const show = begin();
    show(null);
    const tooLarge = file.size > MAX ? `${file.name} is larger than 3.5 MiB. Download and import one kind at a time.` : null;
    const refused = tooLarge ?? (await encodingRefusal(file));
    if (refused !== null) show(null, refused);
    else await look(file.name, await file.text(), show);
  };
  const write = async ({ name, text, dry }: Chosen) => {
    setWriting(true);
    try {
      const version = dry?.version ?? null;
      const done = await attempt("Nothing was imported", () => rpc.definitions.importTexts({ ...scope, text, version, dryRun: false }));
      if (done.isStale) {
        toast({ title: "The definitions were changed meanwhile", description: "Review the changes again." });
        return await look(name, text);
      }
      if (done.problems.length > 0) return setChosen({ name, text, dry: done });
      toast({ title: `${plural(done.changed, "text")} imported into ${here}` });
      setChosen(null);
      onOpenChange(false);
    } catch {
      // The error is already shown.
    } finally {
      setWriting(false);
    }
  };

  const dry = chosen?.dry ?? null;
  return (
    <Sheet
      open={open}
      isPending={isWriting}
      onOpenChange={onOpenChange}
      title="Import translations"
      description="Use a file from “Download CSV”. You review the changes first; empty cells change nothing."
      className="max-w-2xl"
      footer={
        <>
          <Button variant="ghost" onClick={() => onOpenChange(false)} isBlocked={isWriting}>
            Cancel
          </Button>
          <Button
            variant="primary"
            disabled={dry === null || dry.changed === 0 || dry.problems.length > 0}
            isPending={isWriting}
            onClick={() => chosen && void write(chosen)}
          >
            {dry === null || dry.changed === 0 ? `Import into ${here}` : `Import ${plural(dry.changed, "text")} into ${here}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col items-start gap-4">
        <FileButton label="Translations file" accept=".csv,text/csv" disabled={isWriting} onChoose={choose}>
          {chosen === null ? "Choose a file" : "Choose another file"}
        </FileButton>
        {refusal !== null && <Notice tone="bad">{refusal}</Notice>}
        {chosen !== null && <p className="font-medium wrap-anywhere">{chosen.name}</p>}
        {chosen !== null && dry === null && <Skeleton className="h-24 w-full" />}
        {dry !== null && <DryRun dry={dry} />}
      </div>
    </Sheet>
  );
}

const DryRun = ({ dry: { changes, changed, refused, refusedCount, problems } }: { dry: Answer }) => (
  <div className="flex w-full min-w-0 flex-col gap-4">
    <ProblemList problems={problems} />
    {refusedCount > 0 && (
      <Notice tone="warn" title={`${plural(refusedCount, "cell or line", "cells or lines")} left out`}>
        <ul className="mt-1 flex flex-col gap-1">
          {refused.map(({ line, language, message }, at) => (
            <li key={at}>
              Line {line}
              {language !== null && `, ${languageName(language)}`}: {message}
            </li>
          ))}
        </ul>
        {refusedCount > refused.length && <p className="mt-1">and {formatted(refusedCount - refused.length)} more</p>}
      </Notice>
    )}
    {changed === 0 && problems.length === 0 && <Notice>No changes: every text in the file is saved already.</Notice>}
    {changed > 0 && (
      <section>
        <h3 className="text-[0.8125rem] font-semibold">{plural(changed, "text")} would change</h3>
        <ul className="mt-1 divide-y divide-line rounded-lg border border-line">
          {changes.map(({ kind, key, name, pointer, language, before, after }) => (
            <li key={`${kind} ${key} ${pointer} ${language}`} className="px-3 py-2 wrap-anywhere">
              <p className="text-xs text-quiet">
                {name} · {pathInWords(pointer)} · {languageName(language)}
              </p>
              {before !== null && (
                <p lang={language} className="text-quiet line-through">
                  {before}
                </p>
              )}
              <p lang={language}>{after}</p>
            </li>
          ))}
        </ul>
        {changed > changes.length && <p className="mt-1 text-quiet">and {formatted(changed - changes.length)} more</p>}
      </section>
    )}
  </div>
);
