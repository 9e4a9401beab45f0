"use client";

import { CalendarClock } from "lucide-react";
import { useState } from "react";
import { useWhere } from "../../client/where.tsx";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { InstantInput } from "../../components/instant-input.tsx";
import { Dialog } from "../../components/overlay.tsx";

/** Schedules a save of the form's content. */
export function SaveAt({ isSaving, onSaveAt }: { isSaving: boolean; onSaveAt(at: string): void }) {
  const { timeZone, clockAheadMs } = useWhere();
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState<string | null>(null);
  const [isTried, setTried] = useState(false);
  const isPast = at !== null && Date.parse(at) <= Date.now() + clockAheadMs;
  const error = !isTried ? null : at === null ? "Required" : isPast ? "Choose a time that is still to come" : null;
  const schedule = () => {
    setTried(true);
    if (at === null || isPast) return;
    setOpen(false);
    onSaveAt(at);
  };
  return (
    <>
      <Button
        icon={<CalendarClock aria-hidden />}
        disabled={isSaving}
        onClick={() => {
          setTried(false);
          setOpen(true);
        }}
      >
        Schedule…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Schedule this change"
        description="It is checked now, and again when it applies. Until then nothing changes for players."
        className="max-w-md"
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button variant="primary" onClick={schedule}>
              Schedule
            </Button>
          </>
        }
      >
        <Field
          label="Applies at"
          error={error}
          hint={`${timeZone} time${clockAheadMs === 0 ? "" : ", by the Sandbox clock"}. If it is changed before then, your change is kept as not applied and shown on Home.`}
        >
          <InstantInput value={at} onValueChange={setAt} timeZone={timeZone} />
        </Field>
      </Dialog>
    </>
  );
}
