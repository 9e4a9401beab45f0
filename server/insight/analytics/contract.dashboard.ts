import { z } from "zod";
import { cursor, forEnvironment, inEnvironment, instantText } from "../../model/contract/rpc.ts";
import { KINDS } from "../../model/definitions/contract.ts";
import { CALENDAR_PERIODS } from "../../model/kernel/calendar.ts";
import { isDay } from "../../model/kernel/dates.ts";
import { division } from "../../model/analytics/frame.ts";

/** "2026-01-31": a day of the project's zone. Weeks are named by their Monday, months by their first day. */
const date = z.string().refine(isDay, "must be a day of the calendar, such as 2026-01-31");

/**
 * A range of days, both inclusive. By week or month it is widened to whole ones, as a player who is active on two days of a week is counted
 * once. At most 400 periods.
 */
const range = inEnvironment.extend({ from: date, to: date, by: division.default("Day") });

/** For the members of a segment, by its key, as of its last count; for all players if null. */
const rangeOfSegment = range.extend({ segment: z.string().min(1).max(200).nullable().default(null) });

/** Players whose history is counted, out of all: figures are complete when `done` is `total`. */
const progress = z.object({ done: z.int(), total: z.int() });

/** The answered range, and the same number of periods right before it. `starts` names each period by its first day. */
const frame = z.object({
  timeZone: z.string(),
  by: division,
  from: date,
  to: date,
  starts: z.array(date),
  before: z.object({ from: date, to: date, starts: z.array(date) }),
  /** Today on the environment's clock: its period is still in progress. */
  today: date,
  /** The segment of these figures; null: all players. A segment has no members before its first count. */
  segment: z.object({ key: z.string(), name: z.string(), counted: z.object({ members: z.int(), at: instantText }).nullable() }).nullable(),
  progress,
});

/** A figure by period, and the same for the periods before. Points and counts are whole numbers. */
const series = z.object({ values: z.array(z.number()), before: z.array(z.number()) });

/** A figure for the whole range, and for the range before. */
const figure = z.object({ value: z.number(), before: z.number() });

/** A definition by its id; key and name are null if it was deleted. */
const subject = z.object({ id: z.int(), key: z.string().nullable(), name: z.string().nullable() });

/** The number of values in a range: `from` inclusive, `to` exclusive; null: open. */
const bucket = z.object({ from: z.number(), to: z.number().nullable(), count: z.number() });

/** A distribution from the last background count; null before the first. */
const snapshot = z.object({ takenAt: instantText, buckets: z.array(bucket) }).nullable();

const overview = z.object({
  timeZone: z.string(),
  today: date,
  /** Hours since the day began, including the current one: last week's figures end with the same hour. */
  hours: z.int(),
  progress,
  /** Today so far; `before` is the same weekday a week ago, up to the same hour. */
  figures: z.object({
    activePlayers: figure,
    events: figure,
    missionsCompleted: figure,
    pointsGranted: figure,
    /** Net of refunds. */
    pointsSpent: figure,
    /** Points that all players hold now, and a week ago at this hour. */
    pointsOutstanding: figure,
    purchases: figure,
  }),
  /** Counts by hour since the day began, today and a week ago (24 or 25). */
  hourly: z.object({ events: series, activePlayers: series }),
  deliveries: z.object({ waiting: z.int(), failedToday: z.int() }),
  /** Items that need attention, the most urgent first. */
  attention: z.array(
    z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("FailingEndpoint"), endpointId: z.string(), url: z.string(), since: instantText, isOff: z.boolean() }),
      /** A scheduled change that was due at `at`, on the environment's clock, and could not be saved. */
      z.object({
        kind: z.literal("ScheduledChangeFailed"),
        id: z.string(),
        definition: z.object({ kind: z.enum(KINDS), key: z.string() }),
        /** The definition was deleted meanwhile. */
        isGone: z.boolean(),
        at: instantText,
        reason: z.string(),
      }),
      z.object({ kind: z.literal("QuarantinedFacts"), count: z.int() }),
      /** A tenth or less of the current period's stock is left. */
      z.object({ kind: z.literal("StockRunningOut"), listing: subject, left: z.int(), stock: z.int() }),
      /** Within seven days. */
      z.object({ kind: z.literal("MissionEnding"), mission: subject, endsAt: instantText }),
      /** Texts without a language that other texts have, as `definitions.texts` counts them. */
      z.object({ kind: z.literal("UnknownLanguages"), languages: z.array(z.string()) }),
      z.object({ kind: z.literal("MissingTranslations"), count: z.int(), languages: z.array(z.string()) }),
    ]),
  ),
});

const players = z.object({
  frame,
  /** Players with an event or a metric event in the period. */
  active: series,
  /** Active for the first time. */
  new: series,
  /** Active, and not for the first time. */
  returning: series,
  /** For the whole range. Active players of several periods do not add up: many are active in more than one. */
  totals: z.object({ new: figure }),
  /**
   * By the week of a player's first event, for first weeks within the range: how many of them were active in that week and each later one,
   * up to the current one. `counts[0]` is the cohort's size.
   */
  cohorts: z.array(z.object({ week: date, counts: z.array(z.number()) })),
});

const events = z.object({
  frame,
  total: series,
  /** Events and metrics that occurred in either range, the most frequent first, a thousand at most. */
  rows: z.array(
    z.object({
      subject,
      kind: z.enum(["Event", "Metric"]),
      count: figure,
      values: z.array(z.number()),
      /** What a metric's events add, as exact decimal text; null for an event. */
      amount: z.object({ value: z.string(), before: z.string() }).nullable(),
    }),
  ),
});

/**
 * What happened in the range, each on its own day; only summed over all players. Counts occurrences: a player has one for each repetition
 * of a mission.
 */
const stepsOf = <Value extends z.ZodType>(value: Value) =>
  z.object({
    /** Entered or offered. */
    entered: value,
    accepted: value,
    /** Something counted for the first time. */
    progressed: value,
  });

/** How far the occurrences entered or offered in the range have come by now: no step has more than the one before. */
const funnel = z.object({ entered: figure, accepted: figure, progressed: figure, completed: figure });

const missionFigures = z.object({
  /** Counted since `countedSince` of the report; null for a segment. */
  steps: stepsOf(figure).nullable(),
  /** Likewise. */
  funnel: funnel.nullable(),
  /** Players who entered or were offered it for the first time; null for a segment. */
  players: figure.nullable(),
  /** Completed in the range, whenever entered. */
  completed: figure,
  /** Points paid. */
  points: figure,
  /** Items paid, by quantity: three coffees of one reward are three. */
  items: figure,
  /** The median time from accept to completion, from the distribution: accurate to a factor of two. Null without completions. */
  medianSeconds: z.number().nullable(),
});

const missions = z.object({
  frame,
  /** The first day of the funnel; null before. Completions, points and items reach further back. */
  countedSince: date.nullable(),
  completed: series,
  rows: z.array(missionFigures.extend({ subject, active: z.boolean() })),
});

const mission = z.object({
  frame,
  countedSince: date.nullable(),
  subject,
  totals: missionFigures,
  /** Null for a segment. */
  steps: stepsOf(series).nullable(),
  completed: series,
  points: series,
  /** Time from accept to completion in seconds. */
  durations: z.array(bucket),
  /**
   * How many of the funnel's occurrences have met each objective by now, in the mission's order. Uses today's objectives. Null for a
   * segment.
   */
  objectives: z.array(z.object({ id: z.string(), description: z.string().nullable(), satisfied: figure })).nullable(),
});

const pointSource = z.enum(["Mission", "StreakMilestone", "Leaderboard", "MarketplacePurchase"]);

const points = z.object({
  frame,
  granted: series,
  /** Net of refunds, each on its own day: negative if refunds exceed spending. `gross` is before refunds. */
  spent: series,
  gross: series,
  refunded: series,
  /** Adjustments up and down, both positive. */
  credited: series,
  debited: series,
  /** Points that all players hold at the end of each period: the sum of all of the above. */
  outstanding: series,
  totals: z.object({
    granted: figure,
    spent: figure,
    gross: figure,
    refunded: figure,
    credited: figure,
    debited: figure,
    outstanding: figure,
  }),
  /**
   * What points were granted for and spent on, net of refunds, the largest first. Transactions are grants and purchases. `subject` is null
   * where the ledger is older than the analytics.
   */
  sources: z.array(z.object({ type: pointSource, subject: subject.nullable(), points: figure, transactions: figure })),
  /** The present value of these points; the amount is exact decimal text. Null without a valuation in effect. */
  valuation: z.object({ points: z.number(), amount: z.string(), currency: z.string(), effectiveFrom: instantText }).nullable(),
  /** Players by balance, without zero. */
  balances: snapshot,
});

/** Units and points paid less reversals, each on its own day: may be negative. `gross…` are before reversals. */
const sales = z.object({
  units: figure,
  revenue: figure,
  grossUnits: figure,
  grossRevenue: figure,
  reversedUnits: figure,
  reversedPoints: figure,
});

const shop = z.object({
  frame,
  units: series,
  revenue: series,
  totals: sales.extend({ refused: figure.nullable() }),
  listings: z.array(
    sales.extend({
      subject,
      /** Null for a segment, as in the totals. */
      refused: figure.nullable(),
      /**
       * Its last twelve periods, the newest first; none for a segment. A listing that does not repeat has one with a null start. Units sold
       * less reversals.
       */
      rounds: z.array(z.object({ start: date.nullable(), sold: z.int(), stock: z.int().nullable() })),
    }),
  ),
  /** Refused purchases by error code. Counted since `refusalsSince`. */
  refusals: z.array(z.object({ code: z.string(), count: figure })),
  refusalsSince: date.nullable(),
});

const rounds = z.object({
  /** The newest first. A listing that does not repeat has one, with `start` null. */
  rounds: z.array(
    z.object({
      /** Its first and last day. */
      start: date.nullable(),
      end: date.nullable(),
      isCurrent: z.boolean(),
      /** Units sold, less reversals. */
      sold: z.int(),
      /** The listing's stock for the current period; for earlier ones, the stock at their last sale. Null: no limit. */
      stock: z.int().nullable(),
      /** Points paid, less refunds. */
      revenue: z.number(),
      reversedUnits: z.int(),
    }),
  ),
  next: z.string().nullable(),
  progress,
});

const streaks = z.object({
  frame,
  /** The first day for which these are counted; null before. */
  countedSince: date.nullable(),
  rows: z.array(
    z.object({
      subject,
      period: z.enum(CALENDAR_PERIODS),
      started: figure,
      freezesUsed: figure,
      milestones: z.array(z.object({ length: z.int(), count: figure })),
      /** Lengths of active runs. */
      live: snapshot,
      /** Of all runs ever started, how many reached each length. */
      survival: z.array(z.object({ length: z.int(), runs: z.number() })),
    }),
  ),
});

const leaderboards = z.object({
  rows: z.array(
    z.object({
      subject,
      ranks: z.enum(["Players", "Teams"]),
      isLeague: z.boolean(),
      /** The last twelve periods, the newest first. */
      periods: z.array(
        z.object({
          number: z.int(),
          start: date.nullable(),
          startsAt: instantText.nullable(),
          endsAt: instantText.nullable(),
          isSettled: z.boolean(),
          participants: z.number(),
          /**
           * Rank changes since the period before, counted soon after both have settled; null without. In a league, up means promoted and
           * down relegated.
           */
          movement: z
            .object({
              rose: z.int(),
              fell: z.int(),
              stayed: z.int(),
              /** With a score in this period and none in the one before; `left` is the reverse. */
              entered: z.int(),
              left: z.int(),
            })
            .nullable(),
        }),
      ),
      /** Scores of the newest period, from the lowest; at most forty ranges. */
      scores: z.array(z.object({ from: z.string().nullable(), to: z.string().nullable(), count: z.number() })),
    }),
  ),
});

const attempts = z.object({
  attempts: figure,
  delivered: figure,
  /** Attempts that failed. */
  failed: figure,
  /** Attempts after a delivery's first one. */
  retries: figure,
  /** Milliseconds, from the distribution: accurate to a factor of the square root of two. Null without attempts. */
  p50: z.number().nullable(),
  p95: z.number().nullable(),
});

const webhooks = z.object({
  frame,
  countedSince: date.nullable(),
  attempts: series,
  failed: series,
  endpoints: z.array(
    attempts.extend({
      id: z.string(),
      /** Null where it was deleted. */
      url: z.string().nullable(),
      values: z.array(z.number()),
      failures: z.array(z.number()),
      /** The last 48 hours of real time, the oldest first. */
      hours: z.array(z.object({ at: instantText, attempts: z.int(), failed: z.int() })),
    }),
  ),
});

const completions = z.object({ completions: z.array(z.object({ key: z.string(), count: z.int() })) });

export type AnalyticsFrame = z.output<typeof frame>;
export type AnalyticsSubject = z.output<typeof subject>;

export type AnalyticsReports = {
  overview: z.output<typeof overview>;
  players: z.output<typeof players>;
  events: z.output<typeof events>;
  missions: z.output<typeof missions>;
  completions: z.output<typeof completions>;
  mission: z.output<typeof mission>;
  points: z.output<typeof points>;
  shop: z.output<typeof shop>;
  rounds: z.output<typeof rounds>;
  streaks: z.output<typeof streaks>;
  leaderboards: z.output<typeof leaderboards>;
  webhooks: z.output<typeof webhooks>;
};

/** Reports on an environment, from sums that are kept as events happen (README.md). */
export const analyticsDashboard = {
  /** The day so far compared with the same hours a week ago, and items that need attention. */
  overview: forEnvironment("Viewer").input(inEnvironment).output(overview),
  players: forEnvironment("Viewer").input(rangeOfSegment).output(players),
  events: forEnvironment("Viewer").input(range).output(events),
  /** Every mission with figures in either range, and every active one. */
  missions: forEnvironment("Viewer").input(rangeOfSegment).output(missions),
  /** Completions per mission in the last 28 days, for the mission list; missions without any are left out. */
  completions: forEnvironment("Viewer").input(inEnvironment).output(completions),
  /** One mission, by its key. */
  mission: forEnvironment("Viewer")
    .input(rangeOfSegment.extend({ key: z.string().min(1).max(200) }))
    .output(mission),
  points: forEnvironment("Viewer").input(rangeOfSegment).output(points),
  shop: forEnvironment("Viewer").input(rangeOfSegment).output(shop),
  /** The periods of one listing, by its key: units sold, stock and revenue. `next` is the cursor of the next page. */
  rounds: forEnvironment("Viewer")
    .input(inEnvironment.extend({ key: z.string().min(1).max(200), cursor, limit: z.int().min(1).max(100).default(12) }))
    .output(rounds),
  streaks: forEnvironment("Viewer").input(range).output(streaks),
  leaderboards: forEnvironment("Viewer").input(inEnvironment).output(leaderboards),
  webhooks: forEnvironment("Viewer").input(range).output(webhooks),
};
