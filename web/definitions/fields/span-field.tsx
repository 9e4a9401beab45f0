import { X } from "lucide-react";
import { IconButton } from "../../components/button.tsx";
import { parseInstant } from "#server/model/kernel/time.ts";
import type { SpanDraft } from "#server/model/rules/schedule.ts";
import { InstantInput } from "../../components/instant-input.tsx";
import { useAuthoring, useMember } from "../form/authoring.tsx";
import { FormField } from "../form/form-field.tsx";

interface SpanProps {
  /** The definition's member with a start and an end. */
  member: string;
  labels?: { startsAt: string; endsAt: string };
  /** The hints at an empty start and end; null if both are required. */
  open?: { startsAt: string; endsAt: string } | null;
}

const LABELS = { startsAt: "Starts", endsAt: "Ends" };
const OPEN = { startsAt: "Leave empty to start immediately.", endsAt: "Leave empty for no end date." };

/** Start and end, in the project's zone. */
export function SpanField({ member, labels = LABELS, open = OPEN }: SpanProps) {
  const [value, setValue] = useMember<SpanDraft>(member);
  const { timeZone, now } = useAuthoring().catalogue;
  const isOver = value.endsAt !== null && (parseInstant(value.endsAt) ?? 0) <= (parseInstant(now) ?? 0);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {(["startsAt", "endsAt"] as const).map((end) => (
        <FormField
          key={end}
          at={[member, end]}
          label={labels[end]}
          optional={open !== null}
          required={open === null}
          hint={
            value[end] === null && open !== null
              ? open[end]
              : `${timeZone} time.${end === "endsAt" && isOver ? " This date has passed." : ""}`
          }
        >
          <div className="flex items-center gap-1">
            <InstantInput value={value[end]} onValueChange={(instant) => setValue({ ...value, [end]: instant })} />
            {open !== null && value[end] !== null && (
              <IconButton label={`Clear "${labels[end]}"`} icon={<X />} onClick={() => setValue({ ...value, [end]: null })} />
            )}
          </div>
        </FormField>
      ))}
    </div>
  );
}
