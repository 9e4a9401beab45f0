import { type Calendar, CALENDAR_PERIODS, everyInWords } from "#server/model/kernel/calendar.ts";
import type { Numeric } from "#server/model/kernel/decimal.ts";
import type { RecurrenceDraft } from "#server/model/rules/schedule.ts";
import { Segmented } from "../../components/choice.tsx";
import type { Path } from "#server/model/rules/finding.ts";
import { useMember } from "../form/authoring.tsx";
import { FormField } from "../form/form-field.tsx";
import { NumberInput } from "./inputs.tsx";

interface RecurrenceProps {
  /** Whether it can repeat right after completion; periods of the shop cannot. */
  hasAfterCompletion?: boolean;
  hint?: string;
  /** The label for not repeating. */
  never?: string;
}

const AT: Path = ["recurrence"];

type Choice = Exclude<RecurrenceDraft["kind"], "Calendar"> | Calendar;

/** How something repeats: never, by calendar, or after completion. */
export function RecurrenceField({ hasAfterCompletion = false, hint, never = "Once" }: RecurrenceProps) {
  const [value, setValue] = useMember<RecurrenceDraft>("recurrence");
  const options: { value: Choice; label: string }[] = [
    { value: "None", label: never },
    ...CALENDAR_PERIODS.map((every) => ({ value: every, label: everyInWords(every) })),
  ];
  if (hasAfterCompletion) options.push({ value: "AfterCompletion", label: "After completion" });
  const chosen: Choice = value.kind === "Calendar" ? value.every : value.kind;
  return (
    <FormField at={AT} label="Repeats" hint={hint} isDeep={value.kind !== "AfterCompletion"}>
      <Segmented
        label="Repeats"
        value={chosen}
        onValueChange={(next) => next !== chosen && setValue(recurrenceOf(next))}
        options={options}
      />
      {value.kind === "AfterCompletion" && (
        <div className="mt-3 grid gap-4 sm:grid-cols-2">
          <FormField at={[...AT, "cooldownHours"]} label="Pause between repeats" optional hint="In hours. Leave empty for none.">
            <NumberInput
              value={value.cooldownHours as Numeric | null}
              onValueChange={(cooldownHours) => setValue({ ...value, cooldownHours })}
            />
          </FormField>
          <FormField at={[...AT, "maxOccurrences"]} label="Maximum repeats" optional hint="Leave empty for no limit.">
            <NumberInput
              value={value.maxOccurrences}
              onValueChange={(maxOccurrences) => setValue({ ...value, maxOccurrences: maxOccurrences as number | null })}
            />
          </FormField>
        </div>
      )}
    </FormField>
  );
}

function recurrenceOf(choice: Choice): RecurrenceDraft {
  if (choice === "None") return { kind: "None" };
  if (choice === "AfterCompletion") return { kind: "AfterCompletion", cooldownHours: null, maxOccurrences: null };
  return { kind: "Calendar", every: choice };
}
