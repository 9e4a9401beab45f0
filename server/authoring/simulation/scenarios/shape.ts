import { z } from "zod";
import { isTimeZone } from "../../../model/kernel/time.ts";
import { WEBHOOK_EVENTS } from "../../../model/webhooks/subscriptions.ts";
import { defaulted, filledList, flag, instant, list, must, oneOf, reference, wholeNumber } from "../../../model/rules/shapes.ts";
import { value } from "../../../model/rules/value.ts";

/** The file of scenarios: what happens to players by the definitions, and what is expected then. */

/** Where a mission is in what a read of missions returns; `Hidden`: it is not there. */
export const MISSION_STATUSES = ["Available", "InProgress", "Completed", "Locked", "Hidden"] as const;
/** Where a listing is in what a read of the shop returns; `NotOnSale` and `Hidden`: it is not there. */
export const LISTING_STATUSES = [
  ...["Purchasable", "NotEligible", "OutOfStock", "PurchaseLimitReached", "InsufficientBalance"],
  ...["NotOnSale", "Hidden"],
] as const;

const text = z.string(must("shape.string")).min(1, must("shape.text_empty"));
const count = wholeNumber(0, Number.MAX_SAFE_INTEGER);
const timeZone = z.string(must("shape.string")).refine(isTimeZone);
const byKey = <Output>(shape: z.ZodType<Output>) => z.record(reference, shape).optional();
/** A short form for the one member that is asked most. */
const shortFor = <Name extends string, Whole extends object>(name: Name, short: z.ZodType, whole: z.ZodType<Whole>) =>
  z.union([short.transform((one) => ({ [name]: one }) as Partial<Whole>), whole as z.ZodType<Partial<Whole>>]);

const mission = shortFor(
  "status",
  oneOf(MISSION_STATUSES),
  z.strictObject({
    status: oneOf(MISSION_STATUSES).optional(),
    /** What each objective has counted; of a mission with one objective the value alone will do. */
    progress: z.union([z.array(z.unknown()), value.transform((one): unknown[] => [one])]).optional(),
    /** How often it was completed. */
    completed: count.optional(),
  }),
);

const streak = shortFor(
  "current",
  count,
  z.strictObject({ current: count.optional(), longest: count.optional(), qualifies: flag.optional(), freezes: count.optional() }),
);

const leaderboard = shortFor(
  "rank",
  z.union([count, z.null()]),
  z.strictObject({
    rank: z.union([count, z.null()]).optional(),
    score: z.unknown().optional(),
    team: z.union([text, z.null()]).optional(),
  }),
);

const webhook = z.union([
  oneOf(WEBHOOK_EVENTS as readonly [string, ...string[]]).transform((event) => ({ event })),
  z.object({ event: oneOf(WEBHOOK_EVENTS as readonly [string, ...string[]]) }).catchall(z.unknown()),
]);

const expectation = z.strictObject({
  missions: byKey(mission),
  /** The balance. */
  points: z.int().optional(),
  /** What the player was granted or bought so far: together for numbers, else each one. */
  items: byKey(z.unknown()),
  streaks: byKey(streak),
  leaderboards: byKey(leaderboard),
  segments: byKey(flag),
  marketplaceItems: byKey(oneOf(LISTING_STATUSES)),
  /** All that were sent since webhooks were last expected, in any order; of their data the members given here. */
  webhooks: list(webhook).optional(),
});
export type Expectation = z.output<typeof expectation>;

const around = {
  /** An external id; left out: the scenario's player. */
  player: text.optional(),
  expect: expectation.optional(),
};
const repeated = { at: instant.optional(), times: defaulted(wholeNumber(1, 1_000), 1), every: text.optional() };
const properties = defaulted(z.record(z.string(), z.unknown()), {});
/** The code of a refusal that is expected. */
const refused = text.optional();

export const stepShape = z.union([
  z.strictObject({ event: reference, properties, ...repeated, ...around }),
  z.strictObject({ metric: reference, value: z.unknown(), properties, ...repeated, ...around }),
  z.strictObject({ attribute: reference, value: z.unknown(), at: instant.optional(), ...around }),
  /** The app reads the player's missions. */
  z.strictObject({ read: z.literal("missions"), ...around }),
  z.strictObject({ accept: reference, refused, ...around }),
  z.strictObject({ buy: reference, refused, ...around }),
  /** The clock moves on, by an ISO 8601 duration or to an instant. */
  z.strictObject({ wait: text, ...around }),
  z.strictObject({ until: instant, ...around }),
  z.strictObject({ ...around, expect: expectation }),
]);
export type ScenarioStep = z.output<typeof stepShape>;

const who = z.strictObject({
  timeZone: timeZone.optional(),
  attributes: defaulted(z.record(reference, z.unknown()), {}),
  points: defaulted(count, 0),
});

export const scenarioShape = z.strictObject({
  name: text,
  /** The player of the steps that name none. */
  player: defaulted(text, "player"),
  /** What players begin with, by external id. */
  players: defaulted(z.record(text, who), {}),
  clock: instant.optional(),
  /** Whether the app reads missions before every step; false: only a `read`, and an expectation of missions, does. */
  opensApp: defaulted(flag, true),
  steps: filledList(stepShape),
});
export type Scenario = z.output<typeof scenarioShape>;

export const scenarioFileShape = z.strictObject({
  $schema: z.string().optional(),
  /** The project's settings, which definitions files do not have. */
  timeZone: defaulted(timeZone, "UTC"),
  language: defaulted(text, "en"),
  /** When scenarios begin that do not say so themselves. */
  clock: defaulted(instant, "2026-01-05T09:00:00.000Z"),
  scenarios: filledList(scenarioShape),
});
export type ScenarioFile = z.output<typeof scenarioFileShape>;
