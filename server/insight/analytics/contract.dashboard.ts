import { z } from "zod";
import { cursor, forEnvironment, inEnvironment, instantText } from "../../model/contract/rpc.ts";
import { KINDS } from "../../model/definitions/contract.ts";
import { CALENDAR_PERIODS } from "../../model/kernel/calendar.ts";
import { isDay } from "../../model/kernel/dates.ts";
import { division } from "../../model/analytics/frame.ts";

/** "2026-01-31": a day of the project's zone. Weeks are named by their Monday, months by their first day. */
const date = z.string().refine(isDay, "must be a day of the calendar, such as 2026-01-31");

/**
 * A range of days, both inclusive. By week or month it is widened to whole ones: a player who is active on two days of a week is counted once.
 * At most 400 periods.
 */
const range = inEnvironment.extend({ from: date, to: date, by: division.default("Day") });

/** Of the members of a segment, by its key, as its last count found them; of all players where it is null. */
const rangeOfSegment = range.extend({ segment: z.string().min(1).max(200).nullable().default(null) });

/** Players whose history is counted, of all: figures are complete where `done` is `total`. */
const progress = z.object({ done: z.int(), total: z.int() });

/** The range as it is answered, and the same number of periods right before it. `starts` names each period by its first day. */
const frame = z.object({
  timeZone: z.string(),
  by: division,
  from: date,
  to: date,
  starts: z.array(date),
  before: z.object({ from: date, to: date, starts: z.array(date) }),
  /** Today on the environment's clock: the period with it is still going on. */
  today: date,
  /** Whose figures they are; null: those of all players. Before its first count a segment has no members. */
  segment: z.object({ key: z.string(), name: z.string(), counted: z.object({ members: z.int(), at: instantText }).nullable() }).nullable(),
  progress,
});

/** A figure by period, and in the periods before. Points and counts are whole numbers. */
const series = z.object({ values: z.array(z.number()), before: z.array(z.number()) });

/** A figure of the whole range, and of the range before. */
const figure = z.object({ value: z.number(), before: z.number() });

/** A definition by its id; key and name are null where it was deleted. */
const subject = z.object({ id: z.int(), key: z.string().nullable(), name: z.string().nullable() });

/** How many lie in a range of values: `from` inclusive, `to` exclusive; a `to` of null is open. */
const bucket = z.object({ from: z.number(), to: z.number().nullable(), count: z.number() });

/** A distribution as it was counted in the background; null before it first was. */
const snapshot = z.object({ takenAt: instantText, buckets: z.array(bucket) }).nullable();

const overview = z.object({
  timeZone: z.string(),
  today: date,
  /** Hours since the day began, the current one included: figures of the week before end with the same hour. */
  hours: z.int(),
  progress,
  /** Today so far; `before` is the same weekday a week ago, up to the same hour. */
  figures: z.object({
    activePlayers: figure,
    events: figure,
    missionsCompleted: figure,
    pointsGranted: figure,
    /** Less refunds. */
    pointsSpent: figure,
    /** What all players hold now, and a week ago at this hour. */
    pointsOutstanding: figure,
    purchases: figure,
  }),
  /** Counts by hour since the day began, today and a week ago (24 or 25). */
  hourly: z.object({ events: series, activePlayers: series }),
  deliveries: z.object({ waiting: z.int(), failedToday: z.int() }),
  /** What needs somebody, the most urgent first. */
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
      /** A tenth or less of the stock of the present round is left. */
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
  /** In the whole range. Active players of several periods do not add up: many are active in more than one. */
  totals: z.object({ new: figure }),
  /**
   * By the week of a player's first event, for first weeks within the range: how many of them were active in that week and in each after
   * it, up to the current one. `counts[0]` is the size.
   */
  cohorts: z.array(z.object({ week: date, counts: z.array(z.number()) })),
});

const events = z.object({
  frame,
  total: series,
  /** Events and metrics with something in either range, the most frequent first, a thousand at most. */
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
 * What happened in the time, each on its own day; kept as sums of all players alone. They are occurrences: a player has one for each time
 * that a mission repeats.
 */
const stepsOf = <Value extends z.ZodType>(value: Value) =>
  z.object({
    /** Entered or offered. */
    entered: value,
    accepted: value,
    /** Something counted for the first time. */
    progressed: value,
  });

/** Of the occurrences entered or offered in the time, how many have come so far by now: no step has more than the one before. */
const funnel = z.object({ entered: figure, accepted: figure, progressed: figure, completed: figure });

const missionFigures = z.object({
  /** Counted since `countedSince` of the report; null for a segment. */
  steps: stepsOf(figure).nullable(),
  /** Likewise. */
  funnel: funnel.nullable(),
  /** Players who entered or were offered it for the first time ever; null for a segment. */
  players: figure.nullable(),
  /** Completed in the time, whenever it was entered. */
  completed: figure,
  /** Points paid. */
  points: figure,
  /** Items paid, by quantity: three coffees of one reward are three. */
  items: figure,
  /** The median time from accept to completion, from the distribution: within a factor of two. Null without completions. */
  medianSeconds: z.number().nullable(),
});

const missions = z.object({
  frame,
  /** The first day of the funnel; null before. Completions, points and items are older. */
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
  /** Of the funnel's occurrences, how many have met each objective by now, in the mission's order. Objectives are those of today. Null for a segment. */
  objectives: z.array(z.object({ id: z.string(), description: z.string().nullable(), satisfied: figure })).nullable(),
});

const pointSource = z.enum(["Mission", "StreakMilestone", "Leaderboard", "MarketplacePurchase"]);

const points = z.object({
  frame,
  granted: series,
  /** Less refunds, each on its own day: negative where more was refunded. Before them it is `gross`. */
  spent: series,
  gross: series,
  refunded: series,
  /** Adjustments up and down, both positive. */
  credited: series,
  debited: series,
  /** What all players hold at the end of each period: all of the above added up. */
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
  /** What points were granted for and spent on, less refunds, the largest first. Transactions are grants and purchases. `subject` is null where the ledger is older than the analytics. */
  sources: z.array(z.object({ type: pointSource, subject: subject.nullable(), points: figure, transactions: figure })),
  /** What so many points are worth now; the amount is exact decimal text. Null without a valuation in effect. */
  valuation: z.object({ points: z.number(), amount: z.string(), currency: z.string(), effectiveFrom: instantText }).nullable(),
  /** Players by balance, zero left out. */
  balances: snapshot,
});

/** Units and points paid less what was reversed, each on its own day: negative where more was. Before reversals they are `gross…`. */
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
      /** Its last twelve rounds, the newest first, none for a segment; one whose start is null where the listing does not repeat. Sold in all, less reversals. */
      rounds: z.array(z.object({ start: date.nullable(), sold: z.int(), stock: z.int().nullable() })),
    }),
  ),
  /** Purchases refused, by the error code that was answered. Counted since `refusalsSince`. */
  refusals: z.array(z.object({ code: z.string(), count: figure })),
  refusalsSince: date.nullable(),
});

const rounds = z.object({
  /** The newest first. Of a listing that does not repeat there is one, with `start` null. */
  rounds: z.array(
    z.object({
      /** Its first and last day. */
      start: date.nullable(),
      end: date.nullable(),
      isCurrent: z.boolean(),
      /** Units sold, less those that were taken back. */
      sold: z.int(),
      /** Of the current round that of the listing, of another one that of its last sale; null: no limit. */
      stock: z.int().nullable(),
      /** Points paid, less those refunded. */
      revenue: z.number(),
      reversedUnits: z.int(),
    }),
  ),
  next: z.string().nullable(),
  progress,
});

const streaks = z.object({
  frame,
  /** The first day with these counted; null before. */
  countedSince: date.nullable(),
  rows: z.array(
    z.object({
      subject,
      period: z.enum(CALENDAR_PERIODS),
      started: figure,
      freezesUsed: figure,
      milestones: z.array(z.object({ length: z.int(), count: figure })),
      /** Lengths of the runs that are live. */
      live: snapshot,
      /** Of all runs ever begun and over or live: how many reached each length. */
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
           * By rank since the period before, counted soon after both have settled; null without. Of a league those who rose were promoted at
           * the end of the period, and those who fell relegated.
           */
          movement: z
            .object({
              rose: z.int(),
              fell: z.int(),
              stayed: z.int(),
              /** With a score in this period and none in the one before, and the other way round. */
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
  /** Attempts after a delivery's first. */
  retries: figure,
  /** Milliseconds, from the distribution: within a factor of the square root of two. Null without attempts. */
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

/** What happens in an environment, from sums that are kept as it happens (README.md). */
export const analyticsDashboard = {
  /** The day so far beside the same hours a week ago, and what needs somebody. */
  overview: forEnvironment("Viewer").input(inEnvironment).output(overview),
  players: forEnvironment("Viewer").input(rangeOfSegment).output(players),
  events: forEnvironment("Viewer").input(range).output(events),
  /** Every mission with figures in either range, and every active one. */
  missions: forEnvironment("Viewer").input(rangeOfSegment).output(missions),
  /** How often missions were completed in the last 28 days, for their list; those that nobody completed are left out. */
  completions: forEnvironment("Viewer").input(inEnvironment).output(completions),
  /** One mission, by its key. */
  mission: forEnvironment("Viewer")
    .input(rangeOfSegment.extend({ key: z.string().min(1).max(200) }))
    .output(mission),
  points: forEnvironment("Viewer").input(rangeOfSegment).output(points),
  shop: forEnvironment("Viewer").input(rangeOfSegment).output(shop),
  /** The rounds of one listing, by its key: what was sold of which stock, and for how much. `next` begins the page after. */
  rounds: forEnvironment("Viewer")
    .input(inEnvironment.extend({ key: z.string().min(1).max(200), cursor, limit: z.int().min(1).max(100).default(12) }))
    .output(rounds),
  streaks: forEnvironment("Viewer").input(range).output(streaks),
  leaderboards: forEnvironment("Viewer").input(inEnvironment).output(leaderboards),
  webhooks: forEnvironment("Viewer").input(range).output(webhooks),
};
