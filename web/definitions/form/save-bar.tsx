import { CalendarClock } from "lucide-react";
import { useState } from "react";
import { useWhere } from "../../client/service.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { Field } from "../../components/inputs.tsx";
import { InstantInput } from "../../components/instant-input.tsx";
import { FormDialog, useSave } from "../../components/form-dialog.tsx";
import { useCommandKey } from "../../components/shortcut.ts";
import { Kbd } from "../../components/surface.tsx";
import { AskDialog } from "../../change-requests/ask-dialog.tsx";
import { definitionPath, KIND_SCREENS } from "../kinds/index.ts";
import type { FormState } from "./form-state.ts";
import { AlsoIn, OtherQuestion, OtherRefusal } from "./other-environment.tsx";

/** The save bar: whether there are changes, and the save button. */
export function SaveBar({ form }: { form: FormState }) {
  const { href } = useWhere();
  const { authoring, other } = form;
  const { path, one } = KIND_SCREENS[authoring.kind];
  return (
    <div
      data-action-bar
      className="sticky bottom-0 z-10 order-last -mx-4 border-t border-line bg-paper px-4 py-3 sm:mx-0 sm:rounded-xl sm:border"
    >
      <OtherRefusal form={form} />
      <OtherQuestion form={form} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="mr-auto text-[0.8125rem] text-quiet max-sm:sr-only">
          {form.isDirty ? "Unsaved changes" : authoring.isNew && "Not created yet"}
        </p>
        {other !== null && <AlsoIn other={other} />}
        <LinkButton
          href={href(form.known === null ? `/${path}` : definitionPath(authoring.kind, form.known.key))}
          variant="ghost"
          className="max-sm:hidden"
        >
          {authoring.isNew && !form.isDirty ? "Back" : "Cancel"}
        </LinkButton>
        {!authoring.isNew && !form.isStartingOver && form.request === null && form.isDirty && (
          <SaveAt isSaving={form.isSaving} onSaveAt={(at) => void form.save({ at })} />
        )}
        <Button variant="primary" className="max-sm:ml-auto" isPending={form.isSaving} onClick={() => void form.save()}>
          {form.request !== null ? "Save to request" : form.needsApproval ? "Request change…" : authoring.isNew ? `Create ${one}` : "Save"}
        </Button>
        <SaveKeys />
      </div>
      {form.needsApproval && (
        <AskDialog open={form.asking !== null} onClose={form.stopAsking} onSubmit={(request) => form.save({ ...form.asking, request })} />
      )}
    </div>
  );
}

/** Schedules a save of the form's content. */
function SaveAt({ isSaving, onSaveAt }: { isSaving: boolean; onSaveAt(at: string): void }) {
  const { timeZone, clockAheadMs, now } = useWhere();
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState<string | null>(null);
  const save = useSave({}, async () => {
    if (at === null) return [{ pointer: "#/at", message: "Required" }];
    // Compared with the service's clock when the page was loaded: this machine's may be wrong. The service checks again.
    if (Date.parse(at) <= Date.parse(now)) return [{ pointer: "#/at", message: "Choose a time in the future" }];
    setOpen(false);
    onSaveAt(at);
  });
  return (
    <>
      <Button
        icon={<CalendarClock />}
        disabled={isSaving}
        onClick={() => {
          save.clear();
          setOpen(true);
        }}
      >
        Schedule…
      </Button>
      <FormDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Schedule this change"
        description="It is checked now, and again when it applies. Until then nothing changes for players."
        submitLabel="Schedule"
        save={save}
        noValidate
      >
        <Field
          label="Applies at"
          at="#/at"
          hint={`${timeZone} time${clockAheadMs === 0 ? "" : ", by the Sandbox clock"}. If it is changed before then, your change is kept as not applied and shown on Home.`}
        >
          <InstantInput value={at} onValueChange={setAt} />
        </Field>
      </FormDialog>
    </>
  );
}

/** The save shortcut, named for the current platform. */
const SaveKeys = () => (
  <span className="hidden items-center gap-1 sm:flex" aria-hidden>
    <Kbd>{useCommandKey()}</Kbd>
    <Kbd>S</Kbd>
  </span>
);
