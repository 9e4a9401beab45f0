import { ExternalLink } from "lucide-react";
import { useEffect, useRef } from "react";
import { useWhere } from "../../client/service.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { Checkbox } from "../../components/toggle.tsx";
import { ENVIRONMENT_NAMES, otherOf } from "../../components/environment-badge.tsx";
import { Dialog } from "../../components/overlay.tsx";
import { Notice } from "../../components/surface.tsx";
import { scopeOf } from "../catalogue.ts";
import { DifferenceList, RawFields } from "../history/difference-list.tsx";
import { differenceLines } from "../history/difference-lines.ts";
import { asLine, namesItself, wordsOf } from "../document/form-words.ts";
import { definitionPath, KIND_SCREENS } from "../kinds/index.ts";
import type { FormState } from "./form-state.ts";
import type { SentProblem, OtherEnvironment, OtherSave, Question } from "./use-other-environment.ts";

/** The checkbox for saving into the other environment too. */
export function AlsoIn({ other }: { other: OtherEnvironment }) {
  const { environment } = useWhere();
  return (
    <Checkbox
      checked={other.isChosen}
      onCheckedChange={other.choose}
      label={`Also in ${ENVIRONMENT_NAMES[otherOf(environment)]}`}
      className="max-sm:mr-auto"
    />
  );
}

/** The notice is in a bar that covers the form. */
const MAX_SHOWN = 4;

/** The other environment rejected it: the reason and what to do, beside the button that was pressed. */
export function OtherRefusal({ form }: { form: FormState }) {
  const { environment, project } = useWhere();
  const refusal = form.other?.refusal ?? null;
  const notice = useRef<HTMLDivElement>(null);
  // The button was disabled while saving, and lost the focus: move it to the notice with the actions.
  useEffect(() => notice.current?.focus({ preventScroll: true }), [refusal]);
  if (refusal === null) return null;
  const { draft } = form;
  const { kind } = form.authoring;
  const [here, there] = [ENVIRONMENT_NAMES[environment], ENVIRONMENT_NAMES[otherOf(environment)]];
  return (
    <Notice ref={notice} tabIndex={-1} tone="bad" title={`Not saved: ${there} rejected it`} className="mb-3">
      <ul className="flex flex-col gap-1">
        {refusal.problems.slice(0, MAX_SHOWN).map((problem, at) => (
          <li key={at}>{inWords(problem)}</li>
        ))}
        {refusal.problems.length > MAX_SHOWN && <li>and {refusal.problems.length - MAX_SHOWN} more</li>}
      </ul>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => void form.save({ other: "leave" })}>
          Save in {here} only
        </Button>
        {refusal.exists && (
          <LinkButton
            size="sm"
            href={`/dashboard/${project}/${otherOf(environment)}${definitionPath(kind, String(draft.key ?? ""))}`}
            target="_blank"
            icon={<ExternalLink />}
          >
            Open in {there}
          </LinkButton>
        )}
      </div>
    </Notice>
  );
}

/** A promotion includes the missing dependencies. */
function inWords({ pointer, ...sent }: SentProblem): string {
  const wayOut = sent.code === "definition.reference_unknown" ? "; save it here only, then promote it: what it needs is added" : "";
  return asLine({ pointer, message: `${wordsOf(sent)}${wayOut}`, namesItself: namesItself(sent) });
}

/** Confirms a change in the other environment, and shows it. */
export function OtherQuestion({ form }: { form: FormState }) {
  const { environment } = useWhere();
  const question = form.other?.question ?? null;
  const [here, there] = [ENVIRONMENT_NAMES[environment], ENVIRONMENT_NAMES[otherOf(environment)]];
  const isOverwriting = question !== null && (question.preview.isLong || question.preview.differences.some(({ isEdited }) => !isEdited));
  const close = () => form.other?.forget();
  const save = (other: OtherSave) => void form.save({ other, overwrite: question?.overwrite ?? false });
  return (
    <Dialog
      open={question !== null}
      onOpenChange={(open) => !open && close()}
      title={question?.preview.exists === false ? `Create it in ${there} too?` : `This would change ${there}`}
      className="max-w-2xl"
      footer={
        <>
          <Button variant="ghost" onClick={close}>
            Cancel
          </Button>
          <Button onClick={() => save("leave")}>Save in {here} only</Button>
          <Button variant={isOverwriting ? "danger" : "primary"} onClick={() => save({ revision: question?.preview.revision ?? null })}>
            {isOverwriting ? `Save in both, overwrite ${there}` : "Save in both"}
          </Button>
        </>
      }
    >
      {question && <OtherChanges question={question} form={form} here={here} there={there} />}
    </Dialog>
  );
}

interface ChangesProps {
  question: Question;
  form: FormState;
  here: string;
  there: string;
}

function OtherChanges({ question: { preview, changedBy }, form, here, there }: ChangesProps) {
  const { kind, catalogue } = form.authoring;
  const lines = differenceLines(preview, scopeOf(catalogue));
  const edited = lines.filter(({ fields }) => fields.every(({ isEdited }) => isEdited));
  const untouched = lines.filter((line) => !edited.includes(line));
  return (
    <div className="flex flex-col gap-4">
      {changedBy !== undefined && (
        <Notice tone="warn" title={`${changedBy ?? "Another user"} changed it in ${there} meanwhile`}>
          Nothing was saved. These are the changes to {there} as it is now.
        </Notice>
      )}
      {!preview.exists && (
        <p>
          {there} has no such {KIND_SCREENS[kind].one} yet. It is created there as it is here, with all its fields.
        </p>
      )}
      {untouched.length > 0 && (
        <section aria-label="Not changed by you">
          <Notice tone="warn" title={`You did not change ${untouched.length === 1 ? "this" : "these"}; ${there} differs`} className="mb-1">
            Saving in both replaces what {there} has with what {here} has.
          </Notice>
          <DifferenceList lines={untouched} />
        </section>
      )}
      {edited.length > 0 && (
        <section aria-label="Changed by you">
          <h3 className="text-[0.8125rem] font-semibold">Your changes</h3>
          <DifferenceList lines={edited} />
        </section>
      )}
      {preview.isLong && <p className="py-1.5 text-[0.8125rem] text-quiet">This difference is too large to show.</p>}
      {preview.differences.length > 0 && <RawFields fields={preview.differences} />}
    </div>
  );
}
