import { z } from "zod";
import { DEFINITION_BODY, forEnvironment, inEnvironment, findings, instantText, problems } from "../../model/contract/rpc.ts";
import { alongShape } from "../../model/definitions/contract.ts";

/** The kinds that can be tried. */
export const TRIED_KINDS = ["missions", "streaks", "leaderboards", "marketplaceItems"] as const;

/** A definition as the file has it, as JSON text: as it is stored, edited, or new. */
const tried = inEnvironment.extend({ kind: z.enum(TRIED_KINDS), document: z.string().max(1_000_000), along: alongShape });

export const MAX_INVENTED = 200;

const inventedFact = z.object({
  /** A fact of the trial: an event, a metric event, or a new value of an attribute. */
  kind: z.enum(["events", "metrics", "attributes"]),
  key: z.string(),
  occurredAt: instantText,
  /** When the service receives it; null: when it happens. */
  receivedAt: instantText.nullable().default(null),
  /** For an event or a metric event, as JSON text. */
  properties: z.string().max(100_000).default("{}"),
  /** For a metric event (in the base currency, where it is money) or an attribute, as JSON text. */
  value: z.string().max(20_000).nullable().default(null),
});

const scenario = z.discriminatedUnion("kind", [
  /**
   * The player's last events. `from` is the instant from which the mission is shown, or the streak or board exists; null: as it was where
   * it is stored and they are in it, otherwise before the first of these events.
   */
  z.object({ kind: z.literal("History"), from: instantText.nullable() }),
  /** Invented facts, on top of the player's present state. */
  z.object({ kind: z.literal("Invented"), facts: z.array(inventedFact).max(MAX_INVENTED) }),
]);

const line = z.object({
  /** Null: neither; a remark, or a check that was not reached. */
  isMet: z.boolean().nullable(),
  text: z.string(),
  /** The indentation of the line. */
  depth: z.int(),
});

const step = z.object({
  /** The number of its fact, from 1; null for a consequence, such as an entry. */
  number: z.int().nullable(),
  kind: z.enum(["Event", "Metric", "Attribute", "Grant", "Entry", "Accept", "Remark"]),
  /** "Order placed #3". */
  title: z.string(),
  occurredAt: instantText,
  receivedAt: instantText,
  details: z.array(z.object({ name: z.string(), value: z.string() })),
  outcome: z.enum(["Counts", "DoesNotCount", "Neutral"]),
  /** The whole sentence: "Order placed #3 does not count: amount is 8, needs to be over 10." */
  sentence: z.string(),
  lines: z.array(line),
  rewards: z.array(z.string()),
});

const summaryItem = z.object({
  label: z.string(),
  value: z.string(),
  /** 0 to 1, where it goes towards something. */
  fraction: z.number().nullable(),
  isDone: z.boolean().nullable(),
});

const trial = z.object({
  /** The preview's assumptions and limits. */
  notes: z.array(z.string()),
  /** Null if it is open to everybody. */
  audience: z.object({ qualifies: z.boolean(), lines: z.array(line) }).nullable(),
  steps: z.array(step),
  summary: z.object({ headline: z.string(), tone: z.enum(["good", "warn", "neutral"]), items: z.array(summaryItem) }),
  /** All rewards that would be granted, in order. */
  rewards: z.array(z.string()),
});

/** A condition of a rule, met or not. */
const judgement = z.object({ isMet: z.boolean(), text: z.string(), depth: z.int() });

const missionStanding = z.object({
  key: z.string(),
  /**
   * `Ready`: the player qualifies, and the next read of their missions enters them. `Closed`: no player can be entered now, or this one not
   * again.
   */
  status: z.enum(["InProgress", "Offered", "Completed", "Ready", "NotInAudience", "Closed"]),
  /** Why the player has not completed it, or is not in it. */
  reason: z.string(),
  /** The conditions of the audience; null if it is open to everybody, or the player is in the mission. */
  audience: z.array(judgement).nullable(),
  /** The objectives with the player's progress; of a mission they are not in, without. */
  objectives: z.array(summaryItem.extend({ id: z.string() })),
});

const segmentStanding = z.object({ key: z.string(), isIn: z.boolean(), lines: z.array(judgement) });

export type MissionStanding = z.output<typeof missionStanding>;
export type SegmentStanding = z.output<typeof segmentStanding>;
export type Judgement = z.output<typeof judgement>;

export type TrialLine = z.output<typeof line>;
export type TrialStep = z.output<typeof step>;
export type TrialSummary = z.output<typeof trial>["summary"];
export type Trial = z.output<typeof trial>;
export type InventedFact = z.output<typeof inventedFact>;
export type Scenario = z.output<typeof scenario>;

const membership = z.object({ isIn: z.boolean(), lines: z.array(line) });

export type Membership = z.output<typeof membership>;

export const simulationDashboard = {
  /** The effect of a definition on a player, by the rules that apply to real events. Nothing is written. */
  run: forEnvironment("Viewer", { largestBody: DEFINITION_BODY })
    .input(
      tried.extend({
        /** An external id; null: a new player without any activity. */
        player: z.string().max(200).nullable(),
        /** Points to have instead of the player's own; null: their own. */
        balance: z.int().min(0).nullable().default(null),
        scenario,
        /** Whether to treat the player as part of the audience. */
        ignoreAudience: z.boolean().default(false),
      }),
    )
    .output(
      z.object({
        /** The problems of the definition, as a save would report them; then there is no trial. */
        problems: findings,
        /** The problems of the invented facts: pointers such as `/0/properties/amount`. */
        factProblems: problems,
        trial: trial.nullable(),
      }),
    ),

  /** Whether a player is in a segment now, and why. The segment is as the file has it, as JSON text. Nothing is written. */
  membership: forEnvironment("Viewer", { largestBody: DEFINITION_BODY })
    .input(inEnvironment.extend({ document: z.string().max(1_000_000), player: z.string().min(1).max(200) }))
    .output(
      z.object({
        problems: findings,
        /** Null if the segment has problems, or the environment does not know the player. */
        membership: membership.nullable(),
      }),
    ),
  /** Why a player is in each active mission and each segment, or why not, as of now. Nothing is written; a stranger is in none. */
  standing: forEnvironment("Viewer")
    .input(inEnvironment.extend({ externalId: z.string().min(1).max(400) }))
    .output(z.object({ missions: z.array(missionStanding), segments: z.array(segmentStanding) })),

  /** A definition's present audience in this environment: counted over all players or, if there are very many, a fair sample. */
  audience: forEnvironment("Viewer", { largestBody: DEFINITION_BODY })
    .input(tried)
    .output(
      z.object({
        problems: findings,
        audience: z
          .object({
            /** Whether the definition lets everybody take part. */
            isEverybody: z.boolean(),
            /** The number of players evaluated, and of those who qualify. */
            evaluated: z.int(),
            qualified: z.int(),
            /** Whether the two below are an estimate, since not everybody was evaluated. */
            isEstimate: z.boolean(),
            players: z.int(),
            qualifying: z.int(),
            /** Up to ten who qualify. */
            sample: z.array(z.object({ externalId: z.string(), displayName: z.string().nullable() })),
          })
          .nullable(),
      }),
    ),
};
