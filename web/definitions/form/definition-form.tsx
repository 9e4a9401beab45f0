"use client";

import { type ReactNode, useState } from "react";
import Link from "next/link";
import { useWhere } from "../../client/where.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { ScriptForm } from "../../components/script-form.tsx";
import { ProblemList } from "../../components/problems.tsx";
import { Notice } from "../../components/surface.tsx";
import { exactly } from "../../components/exactly.ts";
import { useUnsavedGuard } from "../../components/unsaved.tsx";
import { capitalised } from "../../components/words.ts";
import { TryPanel } from "../try/try-panel.tsx";
import type { Kind } from "#server/model/definitions/contract.ts";
import { keptBecause } from "../document/kept-because.ts";
import { asLine } from "../document/problems.ts";
import { definitionPath, isTried, KIND_MODULES, titleOfKey } from "../kinds/index.ts";
import type { Summarize } from "../kinds/summary.ts";
import { AuthoringProvider, focusPlace } from "./authoring.tsx";
import { AlongNotice } from "./along-notice.tsx";
import { DefinitionActions } from "./definition-actions.tsx";
import { DefinitionPage } from "./definition-page.tsx";
import { FixedNotice } from "./fixed-notice.tsx";
import { AlsoIn, OtherQuestion, OtherRefusal } from "./other-environment.tsx";
import { SaveAt } from "./save-at.tsx";
import { SaveKeys } from "./save-keys.tsx";
import { ScheduledNotice } from "./scheduled-notice.tsx";
import { Summary } from "./summary.tsx";
import { type Begin, type DefinitionForm as Form, titleOf, useDefinitionForm } from "./use-definition-form.ts";

interface DefinitionFormProps extends Begin {
  kind: Kind;
  /** The summary; left out for kinds whose form says it all. */
  summarize?: Summarize;
  children: ReactNode;
}

/** The edit screen of a definition: title and actions, sections, summary, and save bar. */
export function DefinitionForm({ kind, summarize, children, ...begin }: DefinitionFormProps) {
  const form = useDefinitionForm(kind, begin);
  const { authoring, known, problems } = form;
  const { draft, isReadOnly, isNew } = authoring;
  const { one } = KIND_MODULES[kind];
  const { timeZone } = useWhere();
  const [isTrying, setTrying] = useState(false);
  const guard = useUnsavedGuard(form.isDirty && !isReadOnly);
  const key = known?.key ?? one;
  const title = titleOf(draft, isNew ? `New ${one}` : titleOfKey(kind, key, timeZone));
  const shown = problems.map((problem) => ({ pointer: problem.pointer, message: asLine(problem) }));
  return (
    <AuthoringProvider value={authoring}>
      <DefinitionPage
        kind={kind}
        knownKey={known?.key ?? null}
        title={title}
        width="form"
        isActive={known !== null && "active" in draft ? draft.active !== false : null}
        actions={
          <DefinitionActions
            kind={kind}
            known={known}
            isActive={"active" in draft ? draft.active !== false : null}
            keptBecause={known && keptBecause(known.removal)}
            isDirty={form.isDirty}
            title={title}
            onSwitched={(active) => form.take({ active })}
            onTry={isTried(kind) ? () => setTrying(true) : undefined}
          />
        }
      >
        {guard}
        {isTried(kind) && (
          <TryPanel kind={kind} document={form.trialDocument} problems={form.trialProblems} open={isTrying} onOpenChange={setTrying} />
        )}
        <ScriptForm
          noValidate
          onSubmit={() => void form.save()}
          // Enter must not submit a long form by accident.
          onKeyDown={(event) => event.key === "Enter" && event.target instanceof HTMLInputElement && event.preventDefault()}
          // Beside the form only where the rule rows keep the width that they need.
          className="flex flex-col gap-8 min-[110rem]:flex-row min-[110rem]:items-start"
        >
          <div className="flex w-full min-w-0 flex-1 flex-col gap-8">
            {isReadOnly && <Notice tone="neutral">You can view this. Changing it needs the role Editor.</Notice>}
            {isNew && <AlongNotice one={one} />}
            {known !== null && !isReadOnly && <ScheduledNotice kind={kind} definitionKey={known.key} />}
            <Conflicted form={form} />
            {shown.length > 0 && <ProblemList problems={shown} onGo={focusPlace} />}
            <FixedNotice known={known} isStartingOver={form.isStartingOver} />
            <fieldset disabled={isReadOnly} className="flex min-w-0 flex-col gap-8">
              {children}
            </fieldset>
            {!isReadOnly && (isNew || form.isDirty || form.isSaving || form.other?.isChosen === true) && <SaveBar form={form} />}
          </div>
          <aside aria-label="Summary" className="flex shrink-0 flex-col gap-4 min-[110rem]:sticky min-[110rem]:top-20 min-[110rem]:w-80">
            {summarize && <Summary lines={summarize(draft, authoring.catalogue)} />}
            <Usage form={form} />
          </aside>
        </ScriptForm>
      </DefinitionPage>
    </AuthoringProvider>
  );
}

/** The save bar: whether there are changes, and the save button. */
function SaveBar({ form }: { form: Form }) {
  const { href } = useWhere();
  const { authoring, other } = form;
  const { path, one } = KIND_MODULES[authoring.kind];
  return (
    <div data-action-bar className="sticky bottom-0 z-10 -mx-4 border-t border-line bg-paper px-4 py-3 sm:mx-0 sm:rounded-xl sm:border">
      <OtherRefusal form={form} />
      <OtherQuestion form={form} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="mr-auto text-[0.8125rem] text-quiet max-sm:sr-only">
          {form.isDirty ? "Unsaved changes" : "Not created yet"}
        </p>
        {other !== null && <AlsoIn other={other} />}
        <LinkButton
          href={href(form.known === null ? `/${path}` : definitionPath(authoring.kind, form.known.key))}
          variant="ghost"
          className="max-sm:hidden"
        >
          {form.isNew && !form.isDirty ? "Back" : "Cancel"}
        </LinkButton>
        {!form.isNew && !form.isStartingOver && form.isDirty && (
          <SaveAt isSaving={form.isSaving} onSaveAt={(at) => void form.save({ at })} />
        )}
        <Button variant="primary" isPending={form.isSaving} onClick={() => void form.save()}>
          {form.isNew ? `Create ${one}` : "Save"}
        </Button>
        <SaveKeys />
      </div>
    </div>
  );
}

function Conflicted({ form }: { form: Form }) {
  const { timeZone } = useWhere();
  if (form.conflict === null) return null;
  const { by, at } = form.conflict;
  return (
    <Notice
      tone="warn"
      title={`${by ?? "Somebody"} changed this while you had it open${at === null ? "" : `, ${exactly(at, timeZone)}`}.`}
      action={
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => location.reload()}>
            Load their version
          </Button>
          <Button size="sm" variant="danger" onClick={() => void form.save({ overwrite: true })}>
            Overwrite with mine
          </Button>
        </div>
      }
    >
      Your changes were not saved. Load their version and lose your changes, or overwrite it with yours.
    </Notice>
  );
}

/** Where the definition is used. */
function Usage({ form }: { form: Form }) {
  const { href } = useWhere();
  const users = form.known?.usedBy ?? [];
  if (users.length === 0) return null;
  return (
    <section className="rounded-xl border border-line p-4">
      <h2 className="mb-2 text-sm font-semibold">
        Used by {users.length === 1 ? `one ${KIND_MODULES[users[0]!.kind].one}` : users.length}
      </h2>
      <ul className="flex flex-col gap-1">
        {users.slice(0, 20).map(({ kind, key, name }) => (
          <li key={`${kind} ${key}`} className="truncate text-[0.8125rem]">
            <Link href={href(definitionPath(kind, key))} className="text-accent underline underline-offset-2">
              {name}
            </Link>{" "}
            <span className="text-faint">{capitalised(KIND_MODULES[kind].one)}</span>
          </li>
        ))}
      </ul>
      {users.length > 20 && <p className="mt-1 text-xs text-quiet">and {users.length - 20} more</p>}
    </section>
  );
}
