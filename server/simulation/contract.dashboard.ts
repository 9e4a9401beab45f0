import { z } from "zod";
import { DEFINITION_BODY, forEnvironment, inEnvironment, findings, instantText, problems } from "../api/contract.dashboard.ts";

/** What can be tried before it counts. */
export const TRIED_KINDS = ["missions", "streaks", "leaderboards", "marketplaceItems"] as const;

/** A definition as the file has it, as JSON text: as it is stored, edited, or new. */
const tried = inEnvironment.extend({ kind: z.enum(TRIED_KINDS), document: z.string().max(1_000_000) });

export const MOST_INVENTED = 200;

const inventedFact = z.object({
  /** What happens: an event, a metric event, or another value of an attribute. */
  kind: z.enum(["events", "metrics", "attributes"]),
  key: z.string(),
  occurredAt: instantText,
  /** When the service receives it; null: as it happens. */
  receivedAt: instantText.nullable().default(null),
  /** Of an event or a metric event, as JSON text. */
  properties: z.string().max(100_000).default("{}"),
  /** Of a metric event (in the base currency, where it is money) or an attribute, as JSON text. */
  value: z.string().max(20_000).nullable().default(null),
});

const scenario = z.discriminatedUnion("kind", [
  /**
   * What the player did of late. `from` is when they are taken to have come to it (a mission is shown, a streak or board
   * begins); null: as it was where it is stored and they are in it, otherwise before the first of these events.
   */
  z.object({ kind: z.literal("History"), from: instantText.nullable() }),
  /** What is made up, on top of what the player has now. */
  z.object({ kind: z.literal("Invented"), facts: z.array(inventedFact).max(MOST_INVENTED) }),
]);

const line = z.object({
  /** Null: neither; a remark, or a check that was not come to. */
  isMet: z.boolean().nullable(),
  text: z.string(),
  /** How deep it stands inside the lines before it. */
  depth: z.int(),
});

const step = z.object({
  /** Of what happened, counted from 1; null for what follows by itself, such as an entry. */
  number: z.int().nullable(),
  kind: z.enum(["Event", "Metric", "Attribute", "Grant", "Entry", "Accept", "Remark"]),
  /** "Order placed #3". */
  title: z.string(),
  occurredAt: instantText,
  receivedAt: instantText,
  details: z.array(z.object({ name: z.string(), value: z.string() })),
  outcome: z.enum(["Counts", "DoesNotCount", "Neutral"]),
  /** In whole: "Order placed #3 does not count: amount is 8, needs to be over 10." */
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
  /** What was assumed, and what of this is not as it would be. */
  notes: z.array(z.string()),
  /** Null where everybody takes part. */
  audience: z.object({ qualifies: z.boolean(), lines: z.array(line) }).nullable(),
  steps: z.array(step),
  summary: z.object({ headline: z.string(), tone: z.enum(["good", "warn", "neutral"]), items: z.array(summaryItem) }),
  /** All that would be granted, in order. */
  rewards: z.array(z.string()),
});

export type TrialLine = z.output<typeof line>;
export type TrialStep = z.output<typeof step>;
export type TrialSummary = z.output<typeof trial>["summary"];
export type Trial = z.output<typeof trial>;
export type InventedFact = z.output<typeof inventedFact>;
export type Scenario = z.output<typeof scenario>;

export const simulationDashboard = {
  /** What a definition would do with a player, by the rules that events are counted by. Nothing is written. */
  run: forEnvironment("Viewer", { largestBody: DEFINITION_BODY })
    .input(
      tried.extend({
        /** An external id; null: somebody who has done nothing yet. */
        player: z.string().max(200).nullable(),
        /** Points to have instead of the player's own; null: their own. */
        balance: z.int().min(0).nullable().default(null),
        scenario,
        /** Whether to go on as if the player were in the audience. */
        ignoreAudience: z.boolean().default(false),
      }),
    )
    .output(
      z.object({
        /** What is wrong with the definition, as a save would say it; then there is no trial. */
        problems: findings,
        /** What is wrong with the invented facts: pointers such as `/0/properties/amount`. */
        factProblems: problems,
        trial: trial.nullable(),
      }),
    ),

  /** Who of this environment is in a definition's audience now: counted over all players or, of very many, over a fair sample of them. */
  audience: forEnvironment("Viewer", { largestBody: DEFINITION_BODY })
    .input(tried)
    .output(
      z.object({
        problems: findings,
        audience: z
          .object({
            /** Whether the definition lets everybody take part. */
            isEverybody: z.boolean(),
            /** How many were looked at, and how many of them qualify. */
            evaluated: z.int(),
            qualified: z.int(),
            /** Whether the two below are an estimate, since not everybody was looked at. */
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
