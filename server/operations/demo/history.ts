import { readFileSync } from "node:fs";
import { parseDay } from "../../model/kernel/calendar.ts";
import { formatInstant, type Period, periodAt } from "../../model/kernel/time.ts";
import type { Scalar } from "../../model/kernel/values.ts";

/**
 * A customer of the coffee shop. Days count from the first day of the history, those of `attributes`, `events` and `adjustments` from
 * joining.
 */
export interface Customer {
  /** The shop's own id. */
  id: string;
  name: string;
  /** IANA; null for the project's. */
  timeZone: string | null;
  language: string;
  /** The day on which they install the app. */
  joins: number;
  /** The last day with any activity. */
  leaves?: number;
  /** Days of absence, after which they return. */
  away?: { from: number; until: number };
  /** The opt-in missions that they accept when offered. */
  accepts: readonly string[];
  /** Attributes that become known over time. */
  attributes: readonly (readonly [day: number, attributes: Properties])[];
  /** Invitations of friends. */
  events?: readonly (readonly [day: number, event: string, properties: Properties])[];
  /** Adjustments by the shop's support. */
  adjustments?: readonly (readonly [day: number, points: number, reason: string])[];
  /** The customer whose recorded visits they repeat, later by some weeks and minutes; left out: they have visits of their own. */
  routine?: { of: string; weeks: number; minutes: number };
}

type Properties = Record<string, Scalar>;

/** Epoch milliseconds: `startsAt` inclusive, `endsAt` exclusive. */
export interface HistorySpan {
  startsAt: number;
  endsAt: number;
}

/** Something that happens in or around the coffee shop's app at an instant (epoch milliseconds). */
export type Fixture = { at: number; playerId: string } & Happening;

type Happening =
  | { kind: "joins"; displayName: string; timeZone: string | null }
  | { kind: "setsAttributes"; attributes: Properties }
  /** Opens the app, which reads the missions; accepts those in `accepts` that are offered. */
  | { kind: "opensApp"; language: string; collections: readonly string[]; accepts: readonly string[] }
  /** `key` distinguishes the player's events. */
  | { kind: "sendsEvent"; event: string; key: string; properties: Properties }
  | { kind: "getsPoints"; points: number; reason: string; key: string };

/**
 * An event of the four recorded weeks, by customer and minute since their first Monday, in local time. Opening the app has the collections
 * of missions that are looked at. An order has `pickup_in` in place of `pickup_at`, in minutes.
 */
type Recorded = readonly [id: string, minute: number, event: string, properties: Properties, collections?: readonly string[]];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY_MINUTES = 24 * 60;
const RECORDED_WEEKS = 4;

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

/** The customers of the first start. */
export const CUSTOMERS = JSON.parse(read("customers.json")) as readonly Customer[];

/** This customer has missions in every state; the welcome of a first start names them. */
export const EXAMPLE_CUSTOMER = "sofia";

const readVisits = (): readonly Recorded[] =>
  read("visits.jsonl")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Recorded);

/** A recorded order of a customer, moved to an instant. */
export const orderOf = ({ id, routine }: Customer, at: number): Properties =>
  propertiesAt(readVisits().find(([of, , event]) => of === (routine?.of ?? id) && event === "order_placed")![3], at);

/** The fixtures of a span of time, in order and deterministic. `zone` is for customers without one. */
export function fixturesOf(customers: readonly Customer[], span: HistorySpan, zone: string): Fixture[] {
  const visits = Map.groupBy(readVisits(), ([id, minute]) => `${id} ${Math.floor(minute / DAY_MINUTES)}`);
  const zones = new Map<string, Period[]>();
  const daysIn = (name: string): Period[] => {
    if (!zones.has(name)) zones.set(name, daysOf(span, name));
    return zones.get(name)!;
  };
  return customers
    .flatMap((customer) => fixturesOfCustomer(customer, span, daysIn(customer.timeZone ?? zone), visits))
    .filter(({ at }) => at >= span.startsAt && at < span.endsAt)
    .sort((a, b) => a.at - b.at);
}

function daysOf({ startsAt, endsAt }: HistorySpan, zone: string): Period[] {
  const days: Period[] = [];
  for (let day = periodAt(startsAt, zone, "Day"); day.startsAt < endsAt; day = periodAt(day.endsAt, zone, "Day")) days.push(day);
  return days;
}

function fixturesOfCustomer(
  customer: Customer,
  span: HistorySpan,
  days: readonly Period[],
  visits: ReadonlyMap<string, readonly Recorded[]>,
): Fixture[] {
  const { id, joins, leaves = Infinity, away, language, accepts, attributes: known, events = [], adjustments = [] } = customer;
  const { of, weeks, minutes } = customer.routine ?? { of: id, weeks: 0, minutes: 0 };
  const fixtures: Fixture[] = [];
  let count = 0;
  const note = (at: number, happening: Happening) => fixtures.push({ at, playerId: id, ...happening });
  const send = (at: number, event: string, properties: Properties) =>
    note(at, { kind: "sendsEvent", event, key: `${event} ${++count}`, properties: propertiesAt(properties, at) });
  const openApp = (at: number, collections: readonly string[]) => note(at, { kind: "opensApp", language, collections, accepts });
  for (const [number, { start, startsAt }] of days.entries()) {
    if (number < joins || number > leaves || (away && number > away.from && number < away.until)) continue;
    const at = (hour: number) => startsAt + hour * HOUR;
    if (number === joins) {
      const arrival = Math.max(span.startsAt, at(6.25));
      note(arrival, { kind: "joins", displayName: customer.name, timeZone: customer.timeZone });
      openApp(arrival, ["getting_started"]);
      send(arrival, "app_opened", { platform: "ios" });
    }
    for (const [day, attributes] of known)
      if (joins + day === number) note(Math.max(span.startsAt, at(day === 0 ? 6.25 : 9)), { kind: "setsAttributes", attributes });
    for (const [day, event, properties] of events) if (joins + day === number) send(at(12), event, properties);
    for (const [day, points, reason] of adjustments)
      if (joins + day === number) note(at(15), { kind: "getsPoints", points, reason, key: `support ${number}` });
    const recordedDay = 7 * ((Math.floor(number / 7) + weeks) % RECORDED_WEEKS) + weekdayOf(start);
    for (const [, minute, event, properties, collections] of visits.get(`${of} ${recordedDay}`) ?? []) {
      const visitedAt = startsAt + ((minute % DAY_MINUTES) + minutes) * MINUTE;
      if (event === "app_opened") openApp(visitedAt, collections ?? []);
      send(visitedAt, event, properties);
    }
  }
  return fixtures;
}

/** Monday is 0; 1970-01-01 was a Thursday. */
const weekdayOf = (date: string): number => (parseDay(date) + 3) % 7;

function propertiesAt({ pickup_in: wait, ...properties }: Properties, at: number): Properties {
  return typeof wait === "number" ? { ...properties, pickup_at: formatInstant(at + wait * MINUTE) } : properties;
}

const FIRST_NAMES =
  "Emma Noah Julia Levi Tess Finn Sara Luuk Eva Milan Lina Adam Nina Sem Zara Hugo Lena Otto Clara Emil Rosa Leon Alma Ivo Maud Joris".split(
    " ",
  );
const LAST_NAMES = "Bos Vos Peters Smits Prins Huisman Kok Evans Meyer Silva".split(" ");

/**
 * The customers of the longer history, one for each pair of names, who repeat the recorded weeks of others. Half are there from the start,
 * the others join later; a third stop coming, and a tenth return after weeks.
 */
export function regulars({ days, customers }: { days: number; customers: number }): Customer[] {
  const names = LAST_NAMES.flatMap((last) => FIRST_NAMES.map((first) => `${first} ${last}`));
  return names.slice(0, customers).map((name, index): Customer => {
    const { timeZone, language, accepts, attributes, id: of } = CUSTOMERS[index % CUSTOMERS.length]!;
    const part = (hundredths: number) => Math.floor((hundredths / 100) * days);
    const joins = index % 20 < 9 ? 0 : part((index * 37) % 90);
    const leaves = index % 3 === 0 ? joins + part(10 + ((index * 7) % 60)) : undefined;
    const from = joins + part(10 + (index % 20));
    return {
      id: name.toLowerCase().replace(" ", "."),
      name,
      timeZone,
      language,
      accepts,
      joins,
      leaves,
      away: index % 10 === 5 ? { from, until: from + part(25 + (index % 25)) } : undefined,
      attributes: attributes.filter(([day, { tier }]) => day === 0 || tier === undefined),
      routine: { of, weeks: index % RECORDED_WEEKS, minutes: (index * 7) % 20 },
    };
  });
}
