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

/** A definition as it was read. */
export type Known = Awaited<ReturnType<DashboardClient["definitions"]["get"]>>;

/** What a form begins with. */
export interface Begin {
  /** The definition to edit; null for one that is not there yet. */
  known: Known | null;
  /** What a new one begins with, as JSON text: a copy of another; blank when left out. */
  copied?: string | null;
  /** `known` is to be put aside by a new one under its key: everything but the key can change. */
  isStartingOver?: boolean;
}

/** Somebody else has saved it since it was read. */
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
  /** All that is wrong and shown, for the list at the top; empty until somebody has tried to save. */
  problems: Problem[];
  conflict: Conflict | null;
  /** Whether the next save is into the other environment too, however it is asked for; null where there is nothing to choose. */
  other: OtherEnvironment | null;
  save(options?: SaveOptions): Promise<void>;
  /** Takes up what was changed elsewhere, such as by a switch. */
  take(changes: Draft): void;
  /** The definition as it stands in the form, as JSON text, for a trial: it needs no name yet. */
  trialDocument: string;
  /** What keeps it from being tried. */
  trialProblems: readonly Problem[];
}

interface SaveOptions {
  /** Writes over what somebody else has saved meanwhile. */
  overwrite?: boolean;
  other?: OtherSave;
  /** Not now, but at this instant of the environment's clock (RFC 3339). */
  at?: string;
}

/**
 * The form of one definition: holds it as the file has it, checks it by the shape of its kind, saves it, and puts what the
 * service finds wrong on its fields.
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
        // The other environment was changed since its author was asked: they are asked again, about what is there now.
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
        // Once the form has taken up what is saved: leaving asks no more.
        later(() => (isNew || isStartingOver ? router.push(href(definitionPath(kind, saved.key ?? key))) : router.refresh()));
      };
      // The definition stays as it is until then, and so does what the form shows of it.
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
    // What the service finds besides, such as prizes that overlap, is told in the same round.
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

/** The form's own check finds the same, in the form's words. */
const isOfShape = (code: string): boolean => code.startsWith("shape.");

/** The member that a definition is known by never changes. */
const identity = "/key";

/** After the screen shows what has just been set. */
const later = (act: () => void): void => void setTimeout(act, 0);

/** What the form calls the definition: its name in the default language, or the kind. */
export function titleOf(draft: Draft, fallback: string): string {
  const name = valueAt(draft, ["name"]) as Text | undefined;
  return name?.texts[name.default]?.trim() || fallback;
}
