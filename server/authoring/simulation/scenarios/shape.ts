import { z } from "zod";
import { isTimeZone } from "../../../model/kernel/time.ts";
import { WEBHOOK_EVENTS } from "../../../model/webhooks/subscriptions.ts";
import { defaulted, filledList, flag, instant, list, must, oneOf, reference, wholeNumber } from "../../../model/rules/shapes.ts";
import { value } from "../../../model/rules/value.ts";

/** The file of scenarios: steps of players under the definitions, and their expected results. */

/** The section of a mission in a read of missions; `Hidden`: it is not returned. */
export const MISSION_STATUSES = ["Available", "InProgress", "Completed", "Locked", "Hidden"] as const;
/** The state of a listing in a read of the shop; `NotOnSale` and `Hidden`: it is not returned. */
export const LISTING_STATUSES = [
  ...["Purchasable", "NotEligible", "OutOfStock", "PurchaseLimitReached", "InsufficientBalance"],
  ...["NotOnSale", "Hidden"],
] as const;

const text = z.string(must("shape.string")).min(1, must("shape.text_empty"));
const count = wholeNumber(0, Number.MAX_SAFE_INTEGER);
const timeZone = z.string(must("shape.string")).refine(isTimeZone);
const byKey = <Output>(shape: z.ZodType<Output>) => z.record(reference, shape).optional();
/** A short form for the most common member. */
const shortFor = <Name extends string, Whole extends object>(name: Name, short: z.ZodType, whole: z.ZodType<Whole>) =>
  z.union([short.transform((one) => ({ [name]: one }) as Partial<Whole>), whole as z.ZodType<Partial<Whole>>]);

const mission = shortFor(
  "status",
  oneOf(MISSION_STATUSES),
  z.strictObject({
    status: oneOf(MISSION_STATUSES).optional(),
    /** The count of each objective; a single value for a mission with one objective. */
    progress: z.union([z.array(z.unknown()), value.transform((one): unknown[] => [one])]).optional(),
    /** The number of completions. */
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
  /** The items that the player was granted or bought so far: the sum of numbers, otherwise each value. */
  items: byKey(z.unknown()),
  streaks: byKey(streak),
  leaderboards: byKey(leaderboard),
  segments: byKey(flag),
  marketplaceItems: byKey(oneOf(LISTING_STATUSES)),
  /** All webhooks sent since the last such expectation, in any order. Only the given members of their data are compared. */
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
/** The code of an expected refusal. */
const refused = text.optional();

export const stepShape = z.union([
  z.strictObject({ event: reference, properties, ...repeated, ...around }),
  z.strictObject({ metric: reference, value: z.unknown(), properties, ...repeated, ...around }),
  z.strictObject({ attribute: reference, value: z.unknown(), at: instant.optional(), ...around }),
  /** The app reads the player's missions. */
  z.strictObject({ read: z.literal("missions"), ...around }),
  z.strictObject({ accept: reference, refused, ...around }),
  z.strictObject({ buy: reference, refused, ...around }),
  /** Moves the clock, by an ISO 8601 duration or to an instant. */
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
  /** The player of steps that do not name one. */
  player: defaulted(text, "player"),
  /** The initial state of players, by external id. */
  players: defaulted(z.record(text, who), {}),
  clock: instant.optional(),
  /** Whether the app reads missions before every step. If false, only `read` and expectations of missions read them. */
  opensApp: defaulted(flag, true),
  steps: filledList(stepShape),
});
export type Scenario = z.output<typeof scenarioShape>;

export const scenarioFileShape = z.strictObject({
  $schema: z.string().optional(),
  /** The project's settings, which definitions files do not have. */
  timeZone: defaulted(timeZone, "UTC"),
  language: defaulted(text, "en"),
  /** The start of scenarios that do not set their own. */
  clock: defaulted(instant, "2026-01-05T09:00:00.000Z"),
  scenarios: filledList(scenarioShape),
});
export type ScenarioFile = z.output<typeof scenarioFileShape>;
