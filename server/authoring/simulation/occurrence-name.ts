import type { Occurrence, OccurrencePeriod } from "../../model/kernel/player.ts";
import { parseInstant } from "../../model/kernel/time.ts";
import type { Recurrence } from "../../model/rules/schedule.ts";
import { dayInWords } from "../../model/rules/value.ts";

/** Which of the occurrences of a mission that repeats: "26 Oct", "week of 26 Oct", "month of 1 Oct", "repeat 2". */
export function occurrenceName(
  { recurrence }: { recurrence: Recurrence },
  { number, period }: Pick<Occurrence, "number"> & { period: Pick<OccurrencePeriod, "start" | "startsAt"> | null },
): string {
  if (recurrence.kind !== "Calendar" || period === null) return `repeat ${number + 1}`;
  const day = dayInWords(parseInstant(`${period.start}T00:00:00Z`) ?? period.startsAt, "UTC");
  return recurrence.every === "Day" ? day : `${recurrence.every.toLowerCase()} of ${day}`;
}
