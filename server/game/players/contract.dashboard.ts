import { z } from "zod";
import { profile } from "./contract.ts";
import { cursor, forEnvironment, inEnvironment, instantText } from "../../model/contract/rpc.ts";
import { CALENDAR_PERIODS } from "../../model/kernel/calendar.ts";

const MAX_QUERY_LENGTH = 200;
/** In UTF-16: an id has at most 200 characters. */
const MAX_ID_LENGTH = 400;
/** The verbs validate a reason; the contract only rejects excessive lengths. */
const MAX_INPUT_LENGTH = 2_000;

const query = z.string().max(MAX_QUERY_LENGTH).default("");
const found = z.object({ externalId: z.string(), displayName: z.string().nullable(), createdAt: instantText });
/** With their points, and the last day with an event that is counted: a date of the project's zone, null where there is none yet. */
const listed = found.extend({ balance: z.number(), lastActiveOn: z.string().nullable() });

/** A value as JSON text, digit for digit. */
const jsonText = z.string();

const objective = z.object({
  description: z.string().nullable(),
  isSatisfied: z.boolean(),
  /** The player's value and the target, as JSON text; null where there is no single value. */
  actual: jsonText.nullable(),
  target: jsonText.nullable(),
  /** 0 to 1, where it goes towards something. */
  fraction: z.number().nullable(),
});

const player = z.object({
  externalId: z.string(),
  ...profile.shape,
  createdAt: instantText,
  /** Since when they are on no leaderboard; null: they are ranked. */
  hiddenAt: instantText.nullable(),
  /** The last day with an event that is counted, a date of the project's zone; null where there is none yet. */
  lastActiveOn: z.string().nullable(),
  balance: z.object({ balance: z.number(), totalGranted: z.number(), totalSpent: z.number() }),
  /** Attributes with a value. */
  attributes: z.array(z.object({ key: z.string(), value: jsonText })),
  /** Metrics that ever moved. */
  metrics: z.array(z.object({ key: z.string(), total: jsonText })),
  /** All that are switched on. */
  streaks: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      cadence: z.enum(CALENDAR_PERIODS),
      length: z.int(),
      longest: z.int(),
      endsAt: instantText.nullable(),
      isQualifiedNow: z.boolean(),
      freezes: z.int(),
    }),
  ),
  /** Missions they are in, or were offered. */
  missions: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      images: z.record(z.string(), z.string()),
      isAccepted: z.boolean(),
      occurrence: z.int(),
      startedAt: instantText,
      objectives: z.array(objective),
    }),
  ),
});

export type PlayerSeen = z.output<typeof player>;

const reward = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("Points"), points: z.number() }),
  z.object({ kind: z.literal("CatalogItem"), catalogItem: z.string(), value: jsonText }),
]);

const completion = z.object({
  id: z.string(),
  /** Key of the mission; null if the mission was deleted. */
  mission: z.string().nullable(),
  occurrence: z.int(),
  startedAt: instantText,
  completedAt: instantText,
  /** The amount granted at that time. */
  rewards: z.array(reward),
});

export type CompletionSeen = z.output<typeof completion>;

const standing = z.object({
  leaderboard: z.string(),
  /** The end of the running period; null where it has none. */
  endsAt: instantText.nullable(),
  participants: z.int(),
  /** The player's rank, or their team's; null without a score. */
  own: z.object({ rank: z.int(), score: jsonText }).nullable(),
  /** On a board of teams: the player's team. */
  team: z.string().nullable(),
  /** In a league: the player's tier. */
  tier: z.string().nullable(),
  /** Whether they see the board without taking part in it. */
  isLocked: z.boolean(),
});

export type StandingSeen = z.output<typeof standing>;

/** What a timeline is made of. */
export const TIMELINE_KINDS = ["Staff", "Points", "Item", "Completion", "Rank", "Purchase", "Attribute", "Metric", "Event"] as const;

const timelineEntry = z.object({
  id: z.string(),
  type: z.enum(TIMELINE_KINDS),
  /** On the environment's clock; of `Staff` in real time. */
  at: instantText,
  /** When it happened, for entries received at `at`; otherwise null. */
  occurredAt: instantText.nullable(),
  /** The definition that it is about; null without one, or if it was deleted. */
  of: z
    .object({
      kind: z.enum(["events", "metrics", "attributes", "missions", "streaks", "leaderboards", "marketplaceItems", "catalogItems"]),
      key: z.string(),
      name: z.string(),
    })
    .nullable(),
  /** The date on which a period began: of a leaderboard, or of an occurrence. */
  period: z.string().nullable(),
  /** The change of the balance, or the price of a purchase, negative. */
  points: z.number().nullable(),
  pointsType: z.enum(["Grant", "Spend", "Adjustment", "Refund"]).nullable(),
  /** As JSON text: the value of an attribute or an item, the amount of a metric event. */
  value: jsonText.nullable(),
  /** Of an event, as JSON text. */
  properties: jsonText.nullable(),
  rank: z.int().nullable(),
  outcome: z.enum(["Promoted", "Relegated", "Stayed"]).nullable(),
  /** Of `Staff`. */
  actor: z.string().nullable(),
  action: z.string().nullable(),
  reason: z.string().nullable(),
  /** Of an item: the webhook that asks the customer's system to hand it over. */
  told: z
    .object({
      endpointId: z.string(),
      deliveryId: z.string(),
      status: z.enum(["Pending", "Held", "Delivered", "Failed"]),
      attempts: z.int(),
    })
    .nullable(),
});

export type TimelineEntry = z.output<typeof timelineEntry>;

const oneOfThem = inEnvironment.extend({ externalId: z.string().min(1).max(MAX_ID_LENGTH) });

export const playersDashboard = {
  /** Players whose external id or display name begins with the search, the exact external id first; the newest without a search. */
  search: forEnvironment("Viewer")
    .input(inEnvironment.extend({ query, limit: z.int().min(1).max(100).default(20) }))
    .output(z.object({ players: z.array(found) })),
  /** The same by pages: `next` is the cursor among the newest players. A search has one page, with `isCut` if there are more results. */
  list: forEnvironment("Viewer")
    .input(inEnvironment.extend({ query, cursor, limit: z.int().min(1).max(100).default(50) }))
    .output(z.object({ players: z.array(listed), next: z.string().nullable(), isCut: z.boolean() })),
  /** A player's current state. Read-only: they are entered into no mission. */
  get: forEnvironment("Viewer").input(oneOfThem).output(player),
  /** The player's completed occurrences, newest first; `next` is the cursor of the next page. */
  completions: forEnvironment("Viewer")
    .input(oneOfThem.extend({ cursor, limit: z.int().min(1).max(100).default(10) }))
    .output(z.object({ completions: z.array(completion), next: z.string().nullable() })),
  /** Everything that happened to a player, the newest first; of some types, or of all where none is named. */
  timeline: forEnvironment("Viewer")
    .input(
      oneOfThem.extend({ types: z.array(z.enum(TIMELINE_KINDS)).max(9).default([]), cursor, limit: z.int().min(1).max(100).default(25) }),
    )
    .output(z.object({ entries: z.array(timelineEntry), next: z.string().nullable() })),
  /** Credits or debits points by hand; the same `requestId` again changes nothing. */
  adjustPoints: forEnvironment("Support")
    .input(
      oneOfThem.extend({
        amount: z.int().refine((amount) => amount !== 0, "must not be 0."),
        reason: z.string().max(MAX_INPUT_LENGTH),
        requestId: z.uuid(),
      }),
    )
    .output(z.object({ balance: z.number() })),
  /** Grants the occurrence of a mission that is open now, with its rewards, as if the player had done it; the same `requestId` again changes nothing. */
  grantMission: forEnvironment("Support")
    .input(oneOfThem.extend({ mission: z.string().max(MAX_ID_LENGTH), reason: z.string().max(MAX_INPUT_LENGTH), requestId: z.uuid() }))
    .output(z.object({})),
  /**
   * Grants one objective of the open occurrence, by its id, and enters the player if necessary; later activity counts for the others. The
   * last objective completes the mission. The same `requestId` again changes nothing.
   */
  grantObjective: forEnvironment("Support")
    .input(
      oneOfThem.extend({
        mission: z.string().max(MAX_ID_LENGTH),
        objective: z.string().max(MAX_ID_LENGTH),
        reason: z.string().max(MAX_INPUT_LENGTH),
        requestId: z.uuid(),
      }),
    )
    .output(z.object({})),
  /** The missed periods of the player's last lost streak, by local start: those that `restoreStreak` would restore. */
  missedPeriods: forEnvironment("Viewer")
    .input(oneOfThem.extend({ streak: z.string().max(MAX_ID_LENGTH) }))
    .output(z.object({ periods: z.array(z.string()) })),
  /** Marks the missed periods as qualified, so that the streak continues; returns their number. */
  restoreStreak: forEnvironment("Support")
    .input(oneOfThem.extend({ streak: z.string().max(MAX_ID_LENGTH), reason: z.string().max(MAX_INPUT_LENGTH) }))
    .output(z.object({ periods: z.int() })),
  /** Changes the given fields of a player's profile; returns the previous values. */
  changeProfile: forEnvironment("Support")
    .input(oneOfThem.extend({ ...profile.partial().shape, reason: z.string().max(MAX_INPUT_LENGTH) }))
    .output(profile),
  /** Hides a player from all leaderboards until shown again; scores continue in the background. */
  hideFromBoards: forEnvironment("Support")
    .input(oneOfThem.extend({ reason: z.string().max(MAX_INPUT_LENGTH) }))
    .output(z.object({})),
  /** Shows a hidden player again, with their current scores. */
  showOnBoards: forEnvironment("Support")
    .input(oneOfThem.extend({ reason: z.string().max(MAX_INPUT_LENGTH) }))
    .output(z.object({})),
  /** The player's standing on the running leaderboards that they may see, those with a score first. It reads only. */
  standings: forEnvironment("Viewer")
    .input(oneOfThem)
    .output(z.object({ standings: z.array(standing) })),
};
