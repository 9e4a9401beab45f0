import { parseDay } from "../../model/kernel/dates.ts";
import { type Period, periodAt } from "../../model/kernel/time.ts";
import { atOnce, mapInSteps, type Steps } from "../../model/kernel/steps.ts";
import type { Scalar } from "../../model/kernel/values.ts";
import { PERSONAS, GESTURES, type Persona } from "./personas.ts";
import { type Chance, chanceOf } from "./chance.ts";
import { BEHAVIORS } from "./behaviors.ts";
import { INVITATIONS, SHOPS } from "./menu.ts";
import { FixtureLog, type Fixture } from "./fixtures.ts";
import { visit } from "./visit.ts";

/** Epoch milliseconds: `startsAt` inclusive, `endsAt` exclusive. */
export interface Span {
  startsAt: number;
  endsAt: number;
}

const SEED = 1_962;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The fixtures of a span of time, in order and deterministic. `zone` is for personas without one. */
export const activity = (span: Span, zone: string): Fixture[] => atOnce(activityOf(PERSONAS, span, zone));

/** The same for other personas, yielding after each. */
export function* activityOf(personas: readonly Persona[], span: Span, zone: string): Steps<Fixture[]> {
  const all = yield* mapInSteps(personas.entries(), ([index, persona]) => fixturesOf(persona, span, zone, chanceOf(SEED + index)));
  return all
    .flat()
    .filter(({ at }) => at >= span.startsAt && at < span.endsAt)
    .sort((a, b) => a.at - b.at);
}

function fixturesOf(persona: Persona, span: Span, zone: string, chance: Chance): Fixture[] {
  const { joins, leaves = Infinity, away } = persona;
  const log = new FixtureLog(persona);
  const platform = chance.oneOf(["ios", "android"]);
  const openness = confidences(persona, chance);
  for (const [number, day] of daysOf(span, persona.timeZone ?? zone).entries()) {
    if (number < joins || number > leaves || (away && number > away.from && number < away.until)) continue;
    if (number === joins) arrive(persona, log, platform, Math.max(span.startsAt, day.startsAt + chance.between(6, 6.5) * HOUR));
    const told = openness.get(number - joins);
    if (told !== undefined) log.tell(day.startsAt + 9 * HOUR, told);
    receiveNews(persona, log, number, day, chance);
    spendDay(persona, log, platform, day, chance);
  }
  return log.fixtures;
}

function daysOf({ startsAt, endsAt }: Span, zone: string): Period[] {
  const days: Period[] = [];
  for (let day = periodAt(startsAt, zone, "Day"); day.startsAt < endsAt; day = periodAt(day.endsAt, zone, "Day")) days.push(day);
  return days;
}

function arrive({ region, language }: Persona, log: FixtureLog, platform: string, at: number): void {
  log.join(at);
  log.tell(at, { tier: "bronze", language, home_shop: SHOPS[region][0] });
  log.look(at, platform, ["getting_started"]);
}

/** Attributes that a persona's behavior reveals over time, by days since they joined. */
function confidences({ drink, born, behavior }: Persona, chance: Chance): Map<number, Record<string, Scalar>> {
  const isOften = BEHAVIORS[behavior].orders[0] > 0.6;
  const told: [often: number, attributes: Record<string, Scalar>][] = [
    [0.5, { newsletter: chance.happens(0.8) }],
    [0.8, { favourite_drink: drink }],
    [0.7, { birthday: `${born}T00:00:00.000Z` }],
    [0.6, { weekly_goal: isOften ? 3 + chance.upTo(4) : chance.upTo(3) }],
  ];
  return new Map(told.flatMap(([often, attributes], index) => (chance.happens(often) ? [[1 + index, attributes] as const] : [])));
}

/** Facts caused by others: friends who join, a tier from the shop, compensation from support. */
function receiveNews({ id, invites = [], promoted }: Persona, log: FixtureLog, number: number, { startsAt }: Period, chance: Chance): void {
  for (const friend of PERSONAS.filter((one) => invites.includes(one.id))) {
    if (friend.joins - 2 === number) log.do(startsAt + 13 * HOUR, "friend_invited", { channel: chance.oneOf(INVITATIONS) });
    if (friend.joins === number) log.do(startsAt + 12 * HOUR, "friend_joined", { friend: friend.id });
  }
  if (promoted?.day === number) log.tell(startsAt + 10 * HOUR, { tier: promoted.tier });
  for (const { playerId, day, points, reason } of GESTURES)
    if (playerId === id && day === number) log.receive(startsAt + 15 * HOUR, points, reason);
}

function spendDay(persona: Persona, log: FixtureLog, platform: string, { start, startsAt }: Period, chance: Chance): void {
  const { orders, hours, again, looks, accepts } = BEHAVIORS[persona.behavior];
  const isWeekend = isSaturdayOrSunday(start);
  const collections = [...(isWeekend ? ["weekend"] : []), ...(accepts.length > 1 && chance.happens(0.2) ? ["for_connoisseurs"] : [])];
  const hour = ([from, to]: readonly [number, number]) => startsAt + chance.between(from, to) * HOUR;
  const visitAt = (at: number) => {
    for (const { event, properties, ...deed } of visit(persona, chance, at)) log.do(deed.at, event, properties);
  };
  if (!chance.happens(orders[isWeekend ? 1 : 0])) {
    if (chance.happens(looks[1])) log.look(hour([8, 21]), platform, collections);
    return;
  }
  const at = hour(hours);
  if (chance.happens(looks[0])) log.look(at - chance.between(2, 12) * MINUTE, platform, collections);
  visitAt(at);
  if (chance.happens(again)) visitAt(hour([14, 18]));
}

/** 1970-01-01 was a Thursday. */
const isSaturdayOrSunday = (date: string): boolean => (parseDay(date) + 3) % 7 >= 5;
