import { z } from "zod";
import { minuteOfWeek } from "../kernel/time.ts";
import { issueText, mistake } from "./finding.ts";
import { listed, missing, type Phrase, say, textOf, valued, words } from "./phrase.ts";
import { filledList, must, oneOf, optional } from "./shapes.ts";

/** Weekdays and hours at which something happens, on the player's clock: their zone, or else the project's. */

export const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const time = z.string(must("shape.time_of_day")).regex(TIME, must("shape.time_of_day"));

const times = z
  .strictObject(
    { weekdays: optional(filledList(oneOf(WEEKDAYS))), from: optional(time), until: optional(time) },
    must("shape.object", { example: '{ "weekdays": ["Friday", "Saturday"], "from": "17:00", "until": "19:00" }' }),
  )
  .superRefine(({ weekdays, from, until }, context) => {
    if (weekdays === null && from === null && until === null) {
      context.addIssue({ code: "custom", message: issueText(mistake("when.empty")) });
    } else if (from !== null && from === until) {
      context.addIssue({ code: "custom", path: ["until"], message: issueText(mistake("when.no_time")) });
    }
  });

export const whenShape = z.strictObject({ when: times });
export type WhenShape = z.output<typeof whenShape>;

/** Weekdays and hours as a form holds them. */
export interface WhenDraft {
  when: { weekdays?: Weekday[] | null; from?: string | null; until?: string | null };
}

/** Weekdays and hours ready for the rules; times are in minutes since midnight. */
export interface When extends WhenShape {
  /** By weekday, from Monday. */
  days: readonly boolean[];
  from: number;
  /** At most `from` where the span passes midnight. */
  until: number;
}

const MINUTES_OF_DAY = 24 * 60;

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

/** Weekdays in the order of the week, each once. */
export const canonicalWhen = ({ when }: WhenShape): WhenShape => ({
  when: { ...when, weekdays: when.weekdays && WEEKDAYS.filter((day) => when.weekdays?.includes(day)) },
});

export const compileWhen = ({ when }: WhenShape): When => ({
  when,
  days: WEEKDAYS.map((day) => when.weekdays?.includes(day) ?? true),
  from: minutesOf(when.from ?? "00:00"),
  until: minutesOf(when.until ?? "00:00") || MINUTES_OF_DAY,
});

/** Whether an instant is in a span. Instants after midnight belong to the weekday on which the span began. */
export function isWithin({ days, from, until }: When, instant: number, zone: string): boolean {
  const at = minuteOfWeek(instant, zone);
  const minute = at % MINUTES_OF_DAY;
  const weekday = (at - minute) / MINUTES_OF_DAY;
  if (from < until) return minute >= from && minute < until && days[weekday]!;
  return minute >= from ? days[weekday]! : minute < until && days[(weekday + 6) % 7]!;
}

/** "it happens on Friday or Saturday from 17:00 to 19:00". */
export const whenPhrase = (one: WhenDraft): Phrase => say`it happens ${timesPhrase(one)}`;

function timesPhrase({ when: { weekdays, from, until } }: WhenDraft): Phrase {
  const parts = [weekdaysPhrase(weekdays ?? []), hoursPhrase(from ?? null, until ?? null)].filter(({ length }) => length > 0);
  return parts.length === 0 ? missing("…") : parts.flatMap((part, at) => (at === 0 ? part : [...words(" "), ...part]));
}

/** "on Monday to Friday", "on Friday or Saturday". */
function weekdaysPhrase(weekdays: readonly Weekday[]): Phrase {
  const chosen = WEEKDAYS.filter((day) => weekdays.includes(day));
  const [first, last] = [chosen[0], chosen.at(-1)];
  if (first === undefined || last === undefined) return [];
  const isRow = WEEKDAYS.indexOf(last) - WEEKDAYS.indexOf(first) === chosen.length - 1;
  if (isRow && chosen.length > 2) return say`on ${valued(first)} to ${valued(last)}`;
  return say`on ${listed(chosen.map(valued), "or")}`;
}

function hoursPhrase(from: string | null, until: string | null): Phrase {
  if (from !== null && until !== null) return say`from ${valued(from)} to ${valued(until)}`;
  if (from !== null) return say`from ${valued(from)} on`;
  return until === null ? [] : say`until ${valued(until)}`;
}

/** "it happened on Sunday at 01:30, needs to be on Friday or Saturday from 17:00 to 19:00". */
export function whenText(when: When, instant: number, zone: string): string {
  const at = minuteOfWeek(instant, zone);
  const twoDigits = (number: number) => String(number).padStart(2, "0");
  const clock = `${twoDigits(Math.floor(at / 60) % 24)}:${twoDigits(at % 60)}`;
  return `it happened on ${WEEKDAYS[Math.floor(at / MINUTES_OF_DAY)]!} at ${clock}, needs to be ${textOf(timesPhrase(when))}`;
}
