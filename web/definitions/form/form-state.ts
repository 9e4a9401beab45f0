import { instantInWords } from "#server/model/kernel/dates.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useOpenAfter } from "../../client/leaving.ts";
import { type Answers, requestMadeBy, rpc, useWhere } from "../../client/service.tsx";
import { canBeSavedInBoth, type Kind } from "#server/model/definitions/contract.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import type { Text } from "#server/model/kernel/texts.ts";
import { requestedToast } from "../../client/query.tsx";
import type { RequestTexts } from "../../change-requests/ask-dialog.tsx";
import { useAfterRender } from "../../components/focus.ts";
import { hasWholeDates } from "../../components/inputs.tsx";
import { isOpen } from "../../components/opener.ts";
import { problemOf } from "../../components/problems.tsx";
import { endFailure, useToast } from "../../components/toast.tsx";
import { capitalised } from "#server/model/kernel/thousands.ts";
import { useAlong } from "../along.tsx";
import { useCatalogue } from "../catalogue-query.ts";
import { documentOf, type Draft, draftOf } from "../document/draft.ts";
import type { Path } from "#server/model/rules/finding.ts";
import type { Problem } from "../document/pointers.ts";
import { problemSent } from "../document/form-words.ts";
import { problemsOf } from "../document/problems.ts";
import { emptyText, languagesOf } from "../document/text.ts";
import { blankDraft } from "../kinds/drafts.ts";
import { definitionPath, KIND_SCREENS } from "../kinds/index.ts";
import { type Authoring, draftStore, focusFirst, useDraft } from "./authoring.tsx";
import { fixedInWords, reasonFor } from "./fixed.ts";
import { type SentProblem, type PreviewResult, type OtherSave, useOtherEnvironment } from "./use-other-environment.ts";
import { useProblems } from "./use-problems.ts";

export type LoadedDefinition = Answers["definitions"]["get"];

export interface Begin {
  /** The definition to edit; null for a new one. */
  known: LoadedDefinition | null;
  /** The initial document of a new one, as JSON text: a copy of another; blank by default. */
  copied?: string | null;
  /** `known` is to be replaced by a new definition with its key: everything but the key can change. */
  isStartingOver?: boolean;
  /** The waiting change request that a save goes into, with the definition as that would leave it. */
  request?: { id: string; revision: number; document: string } | null;
}

export type FormState = ReturnType<typeof useFormState>;

interface SaveOptions {
  /** Overwrites the conflicting save of another user, and no later one. */
  overwrite?: boolean;
  other?: OtherSave;
  /** Schedules the save for this instant of the environment's clock (RFC 3339). */
  at?: string;
  /** The author's comment on a change to Live that needs an approval; requested if left out. */
  request?: RequestTexts;
}

/**
 * State of a definition's form: holds it in the file's form, validates it by its kind's shape, saves it, and assigns the service's findings
 * to fields.
 */
export function useFormState(kind: Kind, { known, copied = null, isStartingOver = false, request = null }: Begin) {
  const isNew = known === null;
  const document = request?.document ?? known?.document ?? copied;
  const { scope, needsApproval, can, canInBoth, href, defaultLanguage, timeZone } = useWhere();
  const catalogue = useCatalogue();
  const along = useAlong();
  const router = useRouter();
  const toast = useToast();
  const queries = useQueryClient();
  const later = useAfterRender();
  const { one } = KIND_SCREENS[kind];
  const failure = `The ${one} was not saved`;

  const begin = useMemo(
    () => (document === null ? blankDraft(kind, defaultLanguage) : draftOf(document, defaultLanguage)),
    [document, kind, defaultLanguage],
  );
  const revision = useRef(known?.revision ?? null);
  const [store] = useState(() => draftStore(begin));
  const draft = useDraft(store);
  const [saved, setSaved] = useState(begin);
  const isDirty = useMemo(() => differs(draft, saved), [draft, saved]);
  // A page that was read again may bring another author's change. A form without changes takes it over. One with changes keeps its
  // revision, so that its save shows the conflict, unless there is nothing that its author has not seen.
  useEffect(() => {
    const read = known?.revision ?? null;
    if (read === revision.current || (isDirty && differs(begin, saved))) return;
    revision.current = read;
    if (isDirty) return;
    store.write(begin);
    setSaved(begin);
  }, [known?.revision]);
  const [sending, setSending] = useState<{ leaves: boolean } | null>(null);
  const { open, isOpening } = useOpenAfter();
  const isSaving = sending !== null || isOpening;
  /** The save that waits for its title and reason. */
  const [asking, setAsking] = useState<SaveOptions | null>(null);
  /** Another author's save; `scheduled` is the instant that this author's was to be scheduled for. */
  const [conflict, setConflict] = useState<(NonNullable<Answers["definitions"]["save"]["conflict"]> & { scheduled?: string }) | null>(null);
  const problems = useProblems(kind, draft);
  const isReadOnly = !can("Editor");

  const other = useOtherEnvironment(kind, isNew);
  const isBothOffered = canInBoth("Editor") && request === null && !isStartingOver && along.length === 0 && canBeSavedInBoth(kind);

  /** Opens a page after a save. Once the form has the saved state, leaving needs no confirmation. */
  const leaveTo = async (path: string) => {
    await new Promise<void>(later);
    open(path);
  };

  const save = async (options: SaveOptions = {}) => {
    const { overwrite = false, other: wanted = "ask", at, request: texts } = options;
    if (isReadOnly || isSaving || !hasWholeDates(main())) return;
    problems.showAll();
    other.forget();
    const values = store.read();
    const key = String(values.key ?? "");
    const text = documentOf(values);
    const input = {
      ...scope,
      kind,
      document: text,
      isNew,
      along: [...along],
      revision: overwrite && conflict !== null ? conflict.revision : revision.current,
      replaces: isStartingOver,
      request: texts,
    };
    const refuse = (found: readonly SentProblem[]) => {
      const sent = found.map(problemSent);
      problems.tell({ problems: sent, draft: values });
      setSending(null);
      later(() => focusFirst(sent));
    };
    const write = async (alsoIn: { revision: string | null } | null): Promise<void> => {
      if (needsApproval && texts === undefined) return setAsking({ ...options, other: alsoIn ?? "leave" });
      const answer =
        at === undefined
          ? await rpc.definitions.save({ ...input, alsoIn })
          : await rpc.definitions.scheduleSave({ ...scope, kind, document: text, revision: input.revision, at, request: texts });
      endFailure(failure);
      // What the service refuses is shown in the form, which the dialog covers.
      setAsking(null);
      // The other environment has changed since the author confirmed: ask again with its present state.
      if (answer.conflict !== null && answer.conflict.environment !== scope.environment) {
        return settle(await other.look(text, { overwrite, changedBy: answer.conflict.by }));
      }
      setConflict(answer.conflict && { ...answer.conflict, scheduled: at });
      if (answer.conflict !== null) return;
      const ofHere = answer.problems.filter(({ environment }) => environment === scope.environment);
      if (ofHere.length > 0) return refuse(ofHere);
      if (answer.problems.length > 0) return other.refuse(answer.problems, typeof wanted !== "string" && wanted.revision !== null);
      problems.reset();
      if (at === undefined) {
        revision.current = answer.revision;
        setSaved(values);
        other.choose(false);
        const description = answer.isChanged ? undefined : "No changes to save.";
        toast({ title: isNew ? `${capitalised(one)} created` : "Saved", description });
      } else {
        // The stored definition is unchanged until the scheduled time, so the form goes back to it.
        store.write(begin);
        setSaved(begin);
        toast({ title: answer.isChanged ? `Scheduled for ${instantInWords(at, timeZone)}` : "No changes to schedule" });
      }
      await queries.invalidateQueries();
      if (isNew || isStartingOver || at !== undefined) await leaveTo(href(definitionPath(kind, answer.key ?? key)));
      if (!isNew && !isStartingOver) router.refresh();
    };
    const settle = (answer: PreviewResult): Promise<void> | void => {
      if (answer === null) return;
      return "problems" in answer ? refuse(answer.problems) : write(answer);
    };
    /** Opens the change request that the save became. */
    const openRequest = async (path: string) => {
      setAsking(null);
      problems.reset();
      setSaved(values);
      await queries.invalidateQueries();
      await leaveTo(path);
      router.refresh();
    };
    const send = async () => {
      try {
        problems.tell({ problems: [], draft: values });
        if (request !== null) {
          const definition = { kind, document: text };
          const edited = await rpc.changeRequests.edit({ ...scope, id: request.id, revision: request.revision, definition });
          endFailure(failure);
          if (edited.problems.length > 0) return refuse(edited.problems);
          toast({ title: "Request changed", description: "It needs another approval." });
          return await openRequest(href(`/requests/${request.id}`));
        }
        const isAsked = wanted === "ask" && at === undefined && other.isChosen && isBothOffered;
        if (isAsked) await settle(await other.look(text, { overwrite }));
        else await write(typeof wanted === "string" ? null : wanted);
      } catch (error) {
        const path = requestMadeBy(error);
        if (path !== null) {
          toast(requestedToast(error));
          return await openRequest(path);
        }
        toast({ title: failure, description: problemOf(error), tone: "bad" });
      }
    };
    // The service's further findings, such as overlapping prizes, are shown in the same round.
    const findMore = async (own: readonly Problem[]) => {
      later(() => focusFirst(own));
      const checked = await rpc.definitions.check(input).catch(() => null);
      if (checked === null || checked.conflict !== null) return;
      // The form's own check finds errors of shape, with a form's wording.
      const found = checked.problems.filter(({ code }) => !code.startsWith("shape."));
      problems.tell({ problems: found.map(problemSent), draft: values });
    };
    const own = problemsOf(kind, values);
    const returnFocus = focusReturner();
    setSending({ leaves: own.length === 0 && (isNew || isStartingOver || request !== null || at !== undefined) });
    await (own.length === 0 ? send() : findMore(own)).finally(() => setSending(null));
    later(returnFocus);
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== "s" || event.altKey) return;
      event.preventDefault();
      if (!isOpen("dialog", "alertdialog")) void save();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });

  const [added, setAdded] = useState<readonly string[]>([]);
  const addLanguage = useCallback((tag: string) => setAdded((before) => [...before, tag]), []);
  const ofName = Object.keys((draft.name as Text | undefined)?.texts ?? {});
  const tags = languagesOf(emptyText(defaultLanguage), [...catalogue.languages, ...added, ...ofName]).join();
  const { leave } = problems;
  const authoring = useMemo((): Authoring => {
    const fixed = fixedInWords(known?.fixed ?? []).filter(({ pointer }) => !isStartingOver || pointer === "/key");
    const fixedAt = (at: Path) => reasonFor(fixed, at);
    const stored = known === null || isStartingOver ? null : begin;
    const languages = tags.split(",");
    return { kind, isNew: known === null, isReadOnly, catalogue, languages, addLanguage, store, stored, leave, fixedAt };
  }, [kind, known, isStartingOver, isReadOnly, catalogue, tags, addLanguage, store, begin, leave]);

  return {
    authoring,
    draft,
    saved,
    known,
    isStartingOver,
    isDirty,
    isSaving,
    save,
    request,
    /** Another page follows the save under way, and what is typed now would be lost. */
    isLeaving: isOpening || sending?.leaves === true,
    /** The save that waits for its author's comment; null: none. */
    asking,
    stopAsking: () => setAsking(null),
    needsApproval,
    /** The problems to show at their fields. */
    shown: problems.shown,
    /** All problems shown, for the list at the top; empty until the first save attempt. */
    problems: problems.listed,
    /** Another user has saved it since it was loaded. */
    conflict,
    /** Whether the next save, however it is triggered, includes the other environment; null if there is no choice. */
    other: isBothOffered ? other : null,
    /** Takes over a change made elsewhere, such as by the switch. */
    take(changes: Draft) {
      store.write(changes);
      setSaved((before) => ({ ...before, ...changes }));
    },
  };
}

const main = () => document.querySelector("main")!;

/** Only members that were touched are written out and compared. */
const differs = (draft: Draft, saved: Draft): boolean =>
  Object.keys(draft).some(
    (member) => draft[member] !== saved[member] && writeJson(draft[member] ?? null) !== writeJson(saved[member] ?? null),
  );

/** Returns the focus to the element that has it now, if none has it by then: a form that was inert has lost it. */
function focusReturner(): () => void {
  const { activeElement } = document;
  return () => document.activeElement === document.body && activeElement instanceof HTMLElement && activeElement.focus();
}
