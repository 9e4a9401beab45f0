import { z } from "zod";
import { inEnvironment, instantText } from "../../model/contract/rpc.ts";
import { alongShape } from "../../model/definitions/contract.ts";

const TRIED_KINDS = ["missions", "streaks", "leaderboards", "marketplaceItems"] as const;

/** A stored, edited or new definition in the form of the file, as JSON text. */
export const tried = inEnvironment.extend({ kind: z.enum(TRIED_KINDS), document: z.string().max(1_000_000), along: alongShape });

const MAX_INVENTED = 200;

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

export const scenario = z.discriminatedUnion("kind", [
  /**
   * The player's last events. `from` is the instant from which the mission is shown, or the streak or board exists. Null: as stored, if the
   * definition is stored and the player is in it, otherwise before the first of these events.
   */
  z.object({ kind: z.literal("History"), from: instantText.nullable() }),
  /** Invented facts, on top of the player's present state. */
  z.object({ kind: z.literal("Invented"), facts: z.array(inventedFact).max(MAX_INVENTED) }),
]);

export type TriedKind = (typeof TRIED_KINDS)[number];
export type InventedFact = z.output<typeof inventedFact>;
export type Scenario = z.output<typeof scenario>;

export interface TrialLine {
  /** Null for a remark, and for a check that was not reached. */
  isMet: boolean | null;
  text: string;
  /** The indentation of the line. */
  depth: number;
}

export interface TrialStep {
  /** The number of its fact, from 1; null for a consequence, such as an entry. */
  number: number | null;
  kind: "Event" | "Metric" | "Attribute" | "Grant" | "Entry" | "Accept" | "Remark";
  /** "Order placed #3". */
  title: string;
  occurredAt: string;
  receivedAt: string;
  details: { name: string; value: string }[];
  outcome: "Counts" | "DoesNotCount" | "Neutral";
  /** The whole sentence: "Order placed #3 does not count: amount is 8, needs to be more than 10." */
  sentence: string;
  lines: TrialLine[];
  rewards: string[];
}

interface SummaryItem {
  label: string;
  value: string;
  /** The progress towards a target, from 0 to 1; null without one. */
  fraction: number | null;
  isDone: boolean | null;
}

export interface TrialSummary {
  headline: string;
  tone: "good" | "warn" | "neutral";
  items: SummaryItem[];
}

export interface Trial {
  /** The preview's assumptions and limits. */
  notes: string[];
  /** Null if it is open to all players. */
  audience: { qualifies: boolean; lines: TrialLine[] } | null;
  steps: TrialStep[];
  summary: TrialSummary;
  /** All rewards that would be granted, in order. */
  rewards: string[];
  /** As a file of scenarios, as JSON text; null unless asked for. */
  scenario: string | null;
}

/** A condition of a rule, met or not. */
export type Judgement = TrialLine & { isMet: boolean };

export interface MissionStanding {
  key: string;
  /**
   * `Ready`: the player qualifies, and the next read of their missions enters them. `Closed`: no player can be entered now, or this one not
   * again.
   */
  status: "InProgress" | "Offered" | "Completed" | "Ready" | "NotInAudience" | "Closed";
  /** Why the player has not completed it, or is not in it. */
  reason: string;
  /** The conditions of the audience; null if it is open to all players, or the player is in the mission. */
  audience: Judgement[] | null;
  /** The objectives, with the player's progress if they are in the mission. */
  objectives: (SummaryItem & { id: string })[];
}
