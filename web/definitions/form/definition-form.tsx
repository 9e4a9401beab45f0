import { type ReactNode, useState } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import type { Text } from "#server/model/kernel/texts.ts";
import { useWhere } from "../../client/service.tsx";
import { ScriptForm } from "../../components/inputs.tsx";
import { ProblemList } from "../../components/problems.tsx";
import { Notice } from "../../components/surface.tsx";
import { useUnsavedGuard } from "../../components/unsaved.tsx";
import { documentOf, type Draft, namedForTrial } from "../document/draft.ts";
import { asLine, keptBecause } from "../document/form-words.ts";
import { problemsOf } from "../document/problems.ts";
import { isTried, KIND_SCREENS, titleOfKey } from "../kinds/index.ts";
import { SUMMARIES } from "../kinds/summaries.ts";
import { References } from "../references.tsx";
import { stateOf } from "../shown-state.ts";
import { AuthoringProvider, focusField, ProblemsProvider } from "./authoring.tsx";
import { DefinitionActions, DefinitionLayout, TryPanel } from "./definition-layout.tsx";
import { AlongNotice, Conflicted, FixedNotice, RequestNotice, ScheduledNotice } from "./notices.tsx";
import { SaveBar } from "./save-bar.tsx";
import { Summary } from "./summary.tsx";
import { type Begin, useFormState } from "./form-state.ts";

interface DefinitionFormProps extends Begin {
  kind: Kind;
  /** Left out for kinds whose form is short. */
  hasSummary?: boolean;
  children: ReactNode;
}

/** The edit screen of a definition: title and actions, sections, summary, and save bar. */
export function DefinitionForm({ kind, hasSummary = false, children, ...begin }: DefinitionFormProps) {
  const form = useFormState(kind, begin);
  const { authoring, draft, known, problems } = form;
  const { isReadOnly, isNew } = authoring;
  const { one } = KIND_SCREENS[kind];
  const { timeZone, now } = useWhere();
  const [isTrying, setTrying] = useState(false);
  const guard = useUnsavedGuard(form.isDirty && !isReadOnly);
  const key = known?.key ?? one;
  const title = titleOf(draft, isNew ? `New ${one}` : titleOfKey(kind, key, timeZone));
  const tried = () => {
    const named = namedForTrial(draft);
    return { document: documentOf(named), problems: problemsOf(kind, named) };
  };
  const shown = problems.map((problem) => ({ pointer: problem.pointer, message: asLine(problem) }));
  return (
    <AuthoringProvider value={authoring}>
      <DefinitionLayout
        kind={kind}
        knownKey={known?.key ?? null}
        title={title}
        width="form"
        state={known !== null && "active" in draft ? stateOf(draft.active !== false, known.summary, now) : null}
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
        {isTried(kind) && <TryPanel kind={kind} tried={tried} open={isTrying} onOpenChange={setTrying} />}
        <ScriptForm
          noValidate
          onSubmit={() => void form.save()}
          // Enter must not submit a long form by accident.
          onKeyDown={(event) => event.key === "Enter" && event.target instanceof HTMLInputElement && event.preventDefault()}
          // Beside the form only where the rule rows keep the width that they need.
          className="flex flex-col gap-8 min-[110rem]:flex-row min-[110rem]:items-start"
        >
          {/* In one column the summary comes before the save bar, which is last. */}
          <div className="contents w-full min-w-0 flex-1 flex-col gap-8 min-[110rem]:flex">
            {isReadOnly && <Notice tone="neutral">View only. You need the Editor role to make changes.</Notice>}
            {isNew && <AlongNotice one={one} />}
            {known !== null && !isReadOnly && <ScheduledNotice kind={kind} definitionKey={known.key} />}
            {!isReadOnly && <RequestNotice form={form} />}
            <Conflicted form={form} />
            {shown.length > 0 && <ProblemList problems={shown} onGo={focusField} />}
            <FixedNotice known={known} isStartingOver={form.isStartingOver} />
            <fieldset disabled={isReadOnly} inert={form.isLeaving} className="flex min-w-0 flex-col gap-8">
              <ProblemsProvider value={form.shown}>{children}</ProblemsProvider>
            </fieldset>
            {!isReadOnly && (isNew || form.isDirty || form.isSaving || form.other?.isChosen === true) && <SaveBar form={form} />}
          </div>
          <aside aria-label="Summary" className="flex shrink-0 flex-col gap-4 min-[110rem]:sticky min-[110rem]:top-20 min-[110rem]:w-80">
            {hasSummary && <Summary lines={SUMMARIES[kind](draft, authoring.catalogue)} />}
            <References title="Used by" of={known?.usedBy ?? []} />
          </aside>
        </ScriptForm>
      </DefinitionLayout>
    </AuthoringProvider>
  );
}

/** The definition's title in the form: its name in the default language, or the kind. */
function titleOf(draft: Draft, fallback: string): string {
  const name = draft.name as Text | undefined;
  return name?.texts[name.default]?.trim() || fallback;
}
