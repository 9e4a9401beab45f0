import { type Finding, finding, issueText, type Path, mistake } from "./finding.ts";
import { given, type Readable } from "./readable.ts";
import { z } from "zod";
import { Decimal, numberFits, type Numeric } from "../kernel/decimal.ts";
import { type Calendar, CALENDAR_PERIODS, everyInWords } from "../kernel/calendar.ts";
import { parseInstant } from "../kernel/time.ts";
import { isNumeric } from "../kernel/values.ts";
import { missing, type Phrase, say, valued, words } from "./phrase.ts";
import { instant, must, oneOf, optional, wholeNumber } from "./shapes.ts";
import { numberInWords, writtenInstantInWords } from "./value-words.ts";
import { HOUR } from "../kernel/instant.ts";

/** When things are open and how they repeat: windows, recurrences, the periods of leaderboards and streaks. */

export const every = oneOf(CALENDAR_PERIODS);

const noRecurrence = z.strictObject({ kind: z.literal("None") });
const calendarRecurrence = z.strictObject({ kind: z.literal("Calendar"), every });

const MAX_COOLDOWN = 1_000_000;

const cooldownHours = z.custom<Numeric>(
  (hours) => isNumeric(hours) && numberFits(hours) && Decimal.of(hours).compare(0) >= 0 && Decimal.of(hours).compare(MAX_COOLDOWN) <= 0,
  { error: () => issueText(mistake("shape.hours", { most: MAX_COOLDOWN })) },
);

/** How the occurrences of a mission follow each other. */
export const missionRecurrence = z.discriminatedUnion(
  "kind",
  [
    noRecurrence,
    calendarRecurrence,
    z.strictObject({
      kind: z.literal("AfterCompletion"),
      cooldownHours: optional(cooldownHours),
      maxOccurrences: optional(wholeNumber(1, 2_147_483_647)),
    }),
  ],
  must("shape.kind", { kinds: ["None", "Calendar", "AfterCompletion"] }),
);

/** How the rounds of a listing follow each other. */
export const rounds = z.discriminatedUnion("kind", [noRecurrence, calendarRecurrence], must("shape.kind", { kinds: ["None", "Calendar"] }));

/** The periods of a leaderboard. */
export const scorePeriod = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({ kind: z.literal("AllTime") }),
    calendarRecurrence,
    z.strictObject({ kind: z.literal("Season"), startsAt: instant, endsAt: instant }),
  ],
  must("shape.kind", { kinds: ["AllTime", "Calendar", "Season"] }),
);

/** The time during which something is open; it may lack either end. */
export const span = z
  .strictObject(
    { startsAt: optional(instant), endsAt: optional(instant) },
    must("shape.object", { example: '{ "startsAt": …, "endsAt": … }' }),
  )
  .superRefine(({ startsAt, endsAt }, context) => {
    if (startsAt === null || endsAt === null || startsAt < endsAt) return;
    context.addIssue({ code: "custom", path: ["endsAt"], message: issueText(mistake("schedule.ends_before_start")) });
  });

/** The findings of a leaderboard's periods besides their shape. */
export function checkScorePeriod(period: Readable<z.output<typeof scorePeriod>>, path: Path): Finding[] {
  const one = given(period);
  if (one === undefined || !("startsAt" in one)) return [];
  const [startsAt, endsAt] = [given(one.startsAt), given(one.endsAt)];
  if (startsAt === undefined || endsAt === undefined || (parseInstant(startsAt) ?? 0) < (parseInstant(endsAt) ?? 0)) return [];
  return [finding([...path, "endsAt"], "schedule.ends_before_start")];
}

/** A compiled recurrence. */
export type Recurrence =
  | { kind: "None" }
  | { kind: "Calendar"; every: Calendar }
  | { kind: "AfterCompletion"; cooldownMs: number; maxOccurrences: number | null };

export function compileRecurrence(shape: z.output<typeof missionRecurrence>): Recurrence {
  if (shape.kind !== "AfterCompletion") return shape;
  const cooldown = Decimal.of(shape.cooldownHours ?? 0).times(HOUR);
  return { kind: shape.kind, cooldownMs: cooldown.round(0).toNumber(), maxOccurrences: shape.maxOccurrences };
}

const instantOf = (text: string | null): number | null => (text === null ? null : parseInstant(text));

export const compileSpan = ({ startsAt, endsAt }: z.output<typeof span>): { startsAt: number | null; endsAt: number | null } => ({
  startsAt: instantOf(startsAt),
  endsAt: instantOf(endsAt),
});

/** The periods of a leaderboard ready for the rules. */
export type ScorePeriods =
  | { kind: "AllTime" }
  | { kind: "Calendar"; every: Calendar }
  | { kind: "Season"; startsAt: number; endsAt: number };

export const compileScorePeriod = (shape: z.output<typeof scorePeriod>): ScorePeriods =>
  shape.kind === "Season" ? { ...shape, startsAt: instantOf(shape.startsAt) ?? 0, endsAt: instantOf(shape.endsAt) ?? 0 } : shape;

/** A window as a form holds it. */
export interface SpanDraft {
  startsAt: string | null;
  endsAt: string | null;
}

export type RecurrenceDraft =
  | { kind: "None" }
  | { kind: "Calendar"; every: Calendar }
  | { kind: "AfterCompletion"; cooldownHours?: unknown; maxOccurrences?: number | null };

export type ScorePeriodDraft =
  | { kind: "AllTime" }
  | { kind: "Calendar"; every: Calendar }
  | { kind: "Season"; startsAt: string | null; endsAt: string | null };

/** "From 1 Jan 2026, 00:00 until 1 Feb 2026, 00:00". */
export function spanPhrase({ startsAt, endsAt }: SpanDraft, timeZone: string): Phrase {
  const at = (text: string) => valued(writtenInstantInWords(text, timeZone));
  if (startsAt !== null && endsAt !== null) return say`From ${at(startsAt)} until ${at(endsAt)}`;
  if (startsAt !== null) return say`From ${at(startsAt)} on`;
  if (endsAt !== null) return say`Until ${at(endsAt)}`;
  return words("Always");
}

/** "Every week", "After each completion, 1 h later, at most 100 times". */
export function recurrencePhrase(recurrence: RecurrenceDraft): Phrase {
  switch (recurrence.kind) {
    case "None":
      return words("Once");
    case "Calendar":
      return words(everyInWords(recurrence.every));
    case "AfterCompletion": {
      const { cooldownHours: hours, maxOccurrences } = recurrence;
      const pause = hours === null || hours === undefined ? "" : say`, ${valued(`${String(hours)} h`)} later`;
      const most =
        maxOccurrences === null || maxOccurrences === undefined
          ? ""
          : say`, at most ${valued(maxOccurrences === 1 ? "once" : `${numberInWords(maxOccurrences)} times`)}`;
      return say`After each completion${pause}${most}`;
    }
  }
}

/** "every week", "season, from … until …". */
export function scorePeriodPhrase(period: ScorePeriodDraft, timeZone: string): Phrase {
  switch (period.kind) {
    case "AllTime":
      return words("all time");
    case "Calendar":
      return words(everyInWords(period.every).toLowerCase());
    case "Season": {
      const at = (text: string | null) => (text === null ? missing("…") : valued(writtenInstantInWords(text, timeZone)));
      return say`season, from ${at(period.startsAt)} until ${at(period.endsAt)}`;
    }
  }
}
