"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { problemOf } from "../../components/problems.tsx";
import { useToast } from "../../components/toast.tsx";
import { exactly } from "../../components/exactly.ts";
import { capitalised } from "../../components/words.ts";
import { definitionPath, KIND_MODULES } from "../kinds/index.ts";
import { rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import type { DashboardClient } from "#server/api/dashboard.ts";
import { canBeSavedInBoth, type Kind } from "#server/model/definitions/contract.ts";
import { useAlong } from "../along.tsx";
import { useCatalogue } from "../catalogue-query.ts";
import { documentOf, type Draft, draftOf, namedForTrial } from "../document/draft.ts";
import { pathOf, type Problem, valueAt } from "../document/pointers.ts";
import { problemSent, problemsOf } from "../document/problems.ts";
import { emptyText, languagesOf } from "../document/text.ts";
import type { Text } from "#server/model/kernel/texts.ts";
import { useProblems } from "./use-problems.ts";
import { type Authoring, focusFirst } from "./authoring.tsx";
import { fixedInWords, reasonFor } from "./fixed.ts";
import { type Found, type Look, type OtherEnvironment, type OtherSave, useOtherEnvironment } from "./use-other-environment.ts";

/** A definition as it was loaded. */
export type Known = Awaited<ReturnType<DashboardClient["definitions"]["get"]>>;

/** A form's initial state. */
export interface Begin {
  /** The definition to edit; null for a new one. */
  known: Known | null;
  /** The initial document of a new one, as JSON text: a copy of another; blank by default. */
  copied?: string | null;
  /** `known` is to be replaced by a new definition with its key: everything but the key can change. */
  isStartingOver?: boolean;
}

/** Another user has saved it since it was loaded. */
export interface Conflict {
  by: string | null;
  at: string | null;
}

export interface DefinitionForm {
  authoring: Authoring;
  isNew: boolean;
  known: Known | null;
  isStartingOver: boolean;
  isDirty: boolean;
  isSaving: boolean;
  /** All problems shown, for the list at the top; empty until the first save attempt. */
  problems: Problem[];
  conflict: Conflict | null;
  /** Whether the next save, however it is triggered, includes the other environment; null where there is no choice. */
  other: OtherEnvironment | null;
  save(options?: SaveOptions): Promise<void>;
  /** Takes over a change made elsewhere, such as by the switch. */
  take(changes: Draft): void;
  /** The form's definition as JSON text, for a trial: it needs no name yet. */
  trialDocument: string;
  /** Problems that prevent a trial. */
  trialProblems: readonly Problem[];
}

interface SaveOptions {
  /** Overwrites what another user has saved meanwhile. */
  overwrite?: boolean;
  other?: OtherSave;
  /** Schedules the save for this instant of the environment's clock (RFC 3339). */
  at?: string;
}

/**
 * State of a definition's form: holds it in the file's form, validates it by its kind's shape, saves it, and assigns the service's findings
 * to fields.
 */
export function useDefinitionForm(kind: Kind, { known, copied = null, isStartingOver = false }: Begin): DefinitionForm {
  const isNew = known === null;
  const document = known?.document ?? copied;
  const { scope, can, href, defaultLanguage, timeZone } = useWhere();
  const catalogue = useCatalogue();
  const along = useAlong();
  const router = useRouter();
  const toast = useToast();
  const queries = useQueryClient();
  const { one } = KIND_MODULES[kind];

  const begin = useMemo(
    () => (document === null ? KIND_MODULES[kind].blank(defaultLanguage) : draftOf(document, defaultLanguage)),
    [document, kind, defaultLanguage],
  );
  const revision = useRef(known?.revision ?? null);
  useEffect(() => {
    revision.current = known?.revision ?? null;
  }, [known?.revision]);

  const form = useForm<Draft>({
    defaultValues: begin,
    resolver: (values) => {
      const found = problemsOf(kind, values);
      const errors = Object.fromEntries(found.map(({ pointer, message }) => [pathOf(pointer)[0] ?? "root", { type: "shape", message }]));
      return found.length === 0 ? { values, errors: {} } : { values: {}, errors };
    },
    shouldFocusError: false,
  });
  const { isDirty, isSubmitting } = form.formState;
  const draft = form.watch();

  const [added, setAdded] = useState<readonly string[]>([]);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const problems = useProblems(kind, draft);
  const isReadOnly = !can("Editor");
  const key = String(draft.key ?? "");

  const other = useOtherEnvironment(kind, isNew);
  const isBothOffered = !isReadOnly && !isStartingOver && along.length === 0 && canBeSavedInBoth(kind);

  const save = async ({ overwrite = false, other: wanted = "ask", at }: SaveOptions = {}) => {
    if (isReadOnly || isSubmitting) return;
    problems.showAll();
    other.forget();
    const input = (values: Draft) => ({
      ...scope,
      kind,
      document: documentOf(values),
      isNew,
      revision: overwrite ? null : revision.current,
      replaces: isStartingOver,
      along: [...along],
    });
    const send = async () => {
      const values = form.getValues();
      const document = documentOf(values);
      const refuse = (found: readonly Found[]) => {
        const told = found.map(problemSent);
        problems.tell({ problems: told, draft: values });
        later(() => focusFirst(told));
      };
      const write = async (alsoIn: { revision: string | null } | null): Promise<void> => {
        const saved =
          at === undefined
            ? await rpc.definitions.save({ ...input(values), alsoIn })
            : await rpc.definitions.scheduleSave({ ...scope, kind, document, revision: revision.current, at });
        // The other environment has changed since the author confirmed: ask again with its present state.
        if (saved.conflict !== null && saved.conflict.environment !== scope.environment) {
          return settle(await other.look(document, { overwrite, changedBy: saved.conflict.by }));
        }
        setConflict(saved.conflict);
        if (saved.conflict !== null) return;
        const [ofHere, ofOther] = [true, false].map((isHere) =>
          saved.problems.filter(({ environment }) => (environment === scope.environment) === isHere),
        ) as [Found[], Found[]];
        if (ofHere.length > 0) return refuse(ofHere);
        if (ofOther.length > 0) return other.refuse(ofOther, typeof wanted !== "string" && wanted.revision !== null);
        problems.reset();
        if (at !== undefined) return scheduled(at, saved.isChanged);
        revision.current = saved.revision;
        form.reset(values);
        other.choose(false);
        toast({
          title: isNew ? `${capitalised(one)} created` : "Saved",
          description: saved.isChanged ? undefined : "No changes to save.",
        });
        await queries.invalidateQueries();
        // Once the form has taken over the saved state: leaving does not ask any more.
        later(() => (isNew || isStartingOver ? router.push(href(definitionPath(kind, saved.key ?? key))) : router.refresh()));
      };
      // The definition is unchanged until then, and so is the form.
      const scheduled = async (instant: string, isChanged: boolean) => {
        form.reset(begin);
        toast(isChanged ? { title: `Scheduled for ${exactly(instant, timeZone)}` } : { title: "No changes to schedule" });
        await queries.invalidateQueries();
        later(() => {
          router.push(href(definitionPath(kind, key)));
          router.refresh();
        });
      };
      const settle = (answer: Look): Promise<void> | void => {
        if (answer === null) return;
        return "problems" in answer ? refuse(answer.problems) : write(answer);
      };
      try {
        problems.tell({ problems: [], draft: values });
        const isAsked = wanted === "ask" && at === undefined && other.isChosen && isBothOffered;
        if (isAsked) await settle(await other.look(document, { overwrite }));
        else await write(typeof wanted === "string" ? null : wanted);
      } catch (error) {
        toast({ title: `The ${one} was not saved`, description: problemOf(error), tone: "bad" });
      }
    };
    // The service's further findings, such as overlapping prizes, are shown in the same round.
    const refuse = async () => {
      const values = form.getValues();
      later(() => focusFirst(problemsOf(kind, values)));
      const checked = await rpc.definitions.check(input(values)).catch(() => null);
      if (checked === null || checked.conflict !== null) return;
      const found = checked.problems.filter(({ code }) => !isOfShape(code));
      problems.tell({ problems: found.map(problemSent), draft: values });
    };
    await form.handleSubmit(send, refuse)();
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== "s" || event.altKey) return;
      event.preventDefault();
      void save();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });

  const set = useCallback((member: string, value: unknown) => form.setValue(member, value, { shouldDirty: true }), [form]);

  const fixed = fixedInWords(known?.fixed ?? []).filter(({ pointer }) => !isStartingOver || pointer === identity);
  const authoring: Authoring = {
    kind,
    isNew,
    isReadOnly,
    catalogue,
    languages: languagesIn(defaultLanguage, [
      ...catalogue.languages,
      ...added,
      ...Object.keys((draft.name as Text | undefined)?.texts ?? {}),
    ]),
    addLanguage: (tag) => setAdded((before) => [...before, tag]),
    draft,
    stored: isNew || isStartingOver ? null : begin,
    set,
    problemsAt: problems.at,
    leave: problems.leave,
    fixedAt: (at) => reasonFor(fixed, at),
  };

  const tried = namedForTrial(draft);
  return {
    authoring,
    isNew,
    known,
    isStartingOver,
    isDirty,
    isSaving: isSubmitting,
    problems: problems.listed,
    conflict,
    other: isBothOffered ? other : null,
    save,
    take: (changes) => form.reset({ ...form.getValues(), ...changes }),
    trialDocument: documentOf(tried),
    trialProblems: problemsOf(kind, tried),
  };
}

const languagesIn = (first: string, more: readonly string[]): string[] => languagesOf(emptyText(first), more);

/** The form's own check finds the same, with a form's wording. */
const isOfShape = (code: string): boolean => code.startsWith("shape.");

/** The key member never changes. */
const identity = "/key";

/** After the state that was just set has rendered. */
const later = (act: () => void): void => void setTimeout(act, 0);

/** The definition's title in the form: its name in the default language, or the kind. */
export function titleOf(draft: Draft, fallback: string): string {
  const name = valueAt(draft, ["name"]) as Text | undefined;
  return name?.texts[name.default]?.trim() || fallback;
}
