import type { ScoreSource } from "#server/game/leaderboards/contract.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { type Draft, draftOf } from "../document/draft.ts";
import type { Problem } from "../document/pointers.ts";

/** The properties of a kind's form besides its fields. */
interface KindDraft {
  /** A new definition: the file's defaults, and the most common choice where there is none. */
  blank: Draft;
  /** The members that are immutable after creation, besides the key; left out where all others can change. */
  fixedLater?: readonly string[];
  /** Required references that the shape does not check, because they depend on another member. */
  missingChoices?(draft: Draft): Problem[];
}

/** Members of a definition that only the team sees. */
const NAMED = { key: "", name: "", active: true };
/** Members of a definition that players see. */
const SHOWN = { ...NAMED, description: "", images: {} };
const EVERYONE = { rule: null, otherwise: "Locked" };
const ALWAYS = { startsAt: null, endsAt: null };
const NEVER = { kind: "None" };
const COUNT = { kind: "Count" };

export const DRAFTS: Record<Kind, KindDraft> = {
  missions: {
    blank: {
      ...SHOWN,
      optIn: "Automatic",
      objectiveOrder: "AnyOrder",
      appearsIn: "Feed",
      recurrence: NEVER,
      audience: EVERYONE,
      window: ALWAYS,
      objectives: [],
      rewards: [],
    },
    fixedLater: ["objectives", "objectiveOrder", "optIn", "recurrence"],
  },
  missionCollections: { blank: { ...SHOWN, missions: [] } },
  streaks: {
    blank: {
      ...SHOWN,
      event: null,
      metric: null,
      where: null,
      measure: COUNT,
      operator: "GreaterThanOrEqualTo",
      target: 1,
      cadence: "Day",
      freezes: null,
      milestones: [],
    },
    fixedLater: ["cadence"],
    missingChoices: ({ event, metric }) => (isChosen(event) || isChosen(metric) ? [] : [required(metric === "" ? "/metric" : "/event")]),
  },
  leaderboards: {
    blank: {
      ...SHOWN,
      scoreSource: "Event",
      event: null,
      metric: null,
      attribute: null,
      where: null,
      measure: COUNT,
      rankOrder: "HighestFirst",
      period: { kind: "Calendar", every: "Week" },
      settleAfterMinutes: 10,
      topSize: 100,
      audience: EVERYONE,
      teamAttribute: null,
      league: null,
      prizes: [],
    },
    fixedLater: ["scoreSource", "event", "metric", "attribute", "where", "measure", "rankOrder", "period", "teamAttribute", "league"],
    missingChoices(board) {
      const member = SCORED_BY[board.scoreSource as ScoreSource];
      const problems = member == null || isChosen(board[member]) ? [] : [required(`/${member}`)];
      const measure = board.measure as { kind: string; property?: unknown } | null | undefined;
      if (board.scoreSource === "Event" && measure && measure.kind !== "Count" && !isChosen(measure.property))
        problems.push(required("/measure/property"));
      return problems;
    },
  },
  segments: { blank: { ...NAMED, rule: null } },
  marketplaceItems: {
    blank: {
      ...SHOWN,
      priceInPoints: null,
      contents: [],
      audience: EVERYONE,
      appearsIn: "Shop",
      onSale: ALWAYS,
      stock: null,
      limitPerPlayer: null,
      recurrence: NEVER,
    },
    fixedLater: ["recurrence"],
  },
  marketplaceCollections: { blank: { ...SHOWN, items: [] } },
  catalogItems: { blank: { ...SHOWN, valueType: "Number" }, fixedLater: ["valueType"] },
  pointsValuations: { blank: { effectiveFrom: null, points: 100, amount: null, currency: "" } },
  events: { blank: { ...NAMED, properties: [] }, fixedLater: ["properties"] },
  metrics: { blank: { ...NAMED, kind: "Number", properties: [] }, fixedLater: ["kind", "properties"] },
  attributes: { blank: { ...NAMED, type: "String" }, fixedLater: ["type"] },
  exchangeRates: { blank: { currencyCode: "", rate: null } },
};

/** A new definition with its texts in a language. */
export const blankDraft = (kind: Kind, language: string): Draft => draftOf(writeJson(DRAFTS[kind].blank), language);

/** The member that names the source of scores. */
const SCORED_BY: Record<ScoreSource, string | null> = { Event: "event", Metric: "metric", Points: null, Attribute: "attribute" };

const isChosen = (value: unknown): boolean => typeof value === "string" && value !== "";

const required = (pointer: string): Problem => ({ pointer, message: "Required." });
