import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { canonicalLanguage, languageName } from "#server/model/kernel/languages.ts";
import { type Answers, orpc, requestMadeBy, useWhere } from "../../client/service.tsx";
import { Button } from "../../components/button.tsx";
import { useAfterRender } from "../../components/focus.ts";
import { Field, TextArea } from "../../components/inputs.tsx";
import { Badge } from "../../components/surface.tsx";
import { useToast } from "../../components/toast.tsx";
import { asLine, problemSent } from "../document/form-words.ts";
import { pathInWords } from "../document/labels.ts";

type Row = Answers["definitions"]["texts"]["rows"][number];

interface CellProps {
  row: Row;
  language: string;
  isEditable: boolean;
}

/** A text in one language, editable in place. */
export function TextCell({ row, language, isEditable }: CellProps) {
  const [isWriting, setWriting] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const later = useAfterRender();
  const words = wordsIn(row.texts, language);
  const name = `${row.name}, ${pathInWords(row.pointer)} in ${languageName(language)}`;
  if (isWriting) {
    const close = (next?: HTMLElement) => {
      setWriting(false);
      later(() => (next?.isConnected ? next.click() : button.current?.focus()));
    };
    return <Writing row={row} language={language} name={name} words={words} onClose={close} />;
  }
  const shown =
    words === null ? (
      row.isFixed ? (
        <span className="text-faint">–</span>
      ) : (
        <Badge tone="warn">Missing</Badge>
      )
    ) : (
      <span dir="auto" lang={canonicalLanguage(language) ?? undefined} className="line-clamp-3 whitespace-pre-line">
        {words}
      </span>
    );
  if (!isEditable) {
    return (
      <div
        className="min-w-48 py-1.5 wrap-anywhere"
        title={row.isFixed ? "Objectives can't be changed once the mission is created" : undefined}
      >
        {shown}
      </div>
    );
  }
  return (
    <button
      ref={button}
      type="button"
      data-language={language}
      onClick={() => setWriting(true)}
      className="-mx-2 block w-full min-w-48 cursor-text rounded-md border border-transparent px-2 py-1.5 text-left wrap-anywhere hover:border-line-strong hover:bg-raised relative"
    >
      <span className="sr-only">
        {words === null ? "Write" : "Edit"} {name}:{" "}
      </span>
      {shown}
    </button>
  );
}

function Writing({
  row,
  language,
  name,
  words,
  onClose,
}: Omit<CellProps, "isEditable"> & { name: string; words: string | null; onClose(next?: HTMLElement): void }) {
  const { scope } = useWhere();
  const toast = useToast();
  // As the translator found it: the list may be read again meanwhile, with another author's text.
  const [before] = useState(words);
  const [after, setAfter] = useState(before ?? "");
  const { kind, key, pointer } = row;
  const write = useMutation(
    orpc.definitions.translate.mutationOptions({
      onSuccess({ conflict, problems }) {
        if (conflict !== null)
          toast({
            title: `${conflict.by ?? "Another user"} changed ${row.name} meanwhile`,
            description: "You see their text now. Yours was not saved.",
            tone: "bad",
          });
        if (conflict !== null) onClose();
        else if (problems.length === 0) onClose(next.current);
      },
      onError: (error) => requestMadeBy(error) !== null && onClose(),
      meta: { failure: "The text was not saved", touches: [orpc.definitions.key()] },
    }),
  );
  const [problem] = write.data?.problems ?? [];
  const place = useRef<HTMLDivElement>(null);
  /** The text to write after this one. Found before the save, which removes this row from a list of missing texts. */
  const next = useRef<HTMLElement>(undefined);
  const save = (andGoOn = false) => {
    if (write.isPending) return;
    next.current = andGoOn ? nextCell(place.current, language) : undefined;
    if (after.trim() === (before ?? "")) return onClose(next.current);
    write.mutate({ ...scope, kind, key, pointer, language, before, after: after.trim() === "" ? "" : after });
  };
  return (
    <div
      ref={place}
      className="flex min-w-56 flex-col gap-2 py-1"
      onKeyDown={(event) => {
        if (event.key === "Escape" && !write.isPending) onClose();
        // Ignores the Enter that ends the composition of a character.
        if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || !(event.target instanceof HTMLTextAreaElement))
          return;
        event.preventDefault();
        save(!event.metaKey && !event.ctrlKey);
      }}
    >
      <Field label={name} isLabelHidden error={problem && asLine(problemSent(problem))}>
        <TextArea
          autoFocus
          dir="auto"
          lang={canonicalLanguage(language) ?? undefined}
          rows={2}
          value={after}
          onValueChange={setAfter}
          placeholder={row.texts[row.default] ?? ""}
          onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
        />
      </Field>
      <div className="flex gap-2">
        <Button
          size="sm"
          variant="primary"
          isPending={write.isPending}
          onClick={() => save()}
          data-hint="Enter saves and goes to the next; Shift+Enter starts a line"
        >
          Save
        </Button>
        <Button size="sm" variant="ghost" isBlocked={write.isPending} onClick={() => onClose()}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

/** The button that opens the next text of a language in the list. */
const nextCell = (here: HTMLElement | null, language: string): HTMLButtonElement | undefined =>
  [...(here?.closest("table")?.querySelectorAll<HTMLButtonElement>("button[data-language]") ?? [])].find(
    (cell) => cell.dataset["language"] === language && here!.compareDocumentPosition(cell) & Node.DOCUMENT_POSITION_FOLLOWING,
  );

/** Tags compare case-insensitively. */
const wordsIn = (texts: Record<string, string>, language: string): string | null =>
  Object.entries(texts).find(([tag]) => tag.toLowerCase() === language.toLowerCase())?.[1] ?? null;
