import type { ScoreSource } from "#server/model/leaderboards/shape.ts";
import type { z } from "zod";
import { type Kind, SHAPES } from "#server/model/definitions/contract.ts";
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

/** Members that the shapes have no default for. */
const NAMED = { key: "", name: "" };

export const DRAFTS: Record<Kind, KindDraft> = {
  missions: {
    blank: { ...NAMED, objectives: [], rewards: [] },
    fixedLater: ["objectives", "objectiveOrder", "optIn", "recurrence"],
  },
  missionCollections: { blank: { ...NAMED, missions: [] } },
  streaks: {
    blank: { ...NAMED, cadence: "Day" },
    fixedLater: ["cadence"],
    missingChoices: ({ event, metric }) => (isChosen(event) || isChosen(metric) ? [] : [required(metric === "" ? "/metric" : "/event")]),
  },
  leaderboards: {
    blank: {
      ...NAMED,
      scoreSource: "Event",
      measure: { kind: "Count" },
      rankOrder: "HighestFirst",
      period: { kind: "Calendar", every: "Week" },
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
    blank: { ...NAMED, priceInPoints: null, contents: [] },
    fixedLater: ["recurrence"],
  },
  marketplaceCollections: { blank: { ...NAMED, items: [] } },
  catalogItems: { blank: { ...NAMED, valueType: "Number" }, fixedLater: ["valueType"] },
  pointsValuations: { blank: { effectiveFrom: null, points: 100, amount: null, currency: "" } },
  events: { blank: NAMED, fixedLater: ["properties"] },
  metrics: { blank: { ...NAMED, kind: "Number" }, fixedLater: ["kind", "properties"] },
  attributes: { blank: { ...NAMED, type: "String" }, fixedLater: ["type"] },
  exchangeRates: { blank: { currencyCode: "", rate: null } },
};

/** A new definition with its texts in a language. */
export const blankDraft = (kind: Kind, language: string): Draft =>
  draftOf(writeJson({ ...defaultsOf(kind), ...DRAFTS[kind].blank }), language);

const defaultsOf = (kind: Kind): object =>
  Object.fromEntries(
    Object.entries<z.ZodType>(SHAPES[kind].shape).flatMap(([name, member]) => {
      const { success, data } = member.safeParse(undefined);
      return success ? [[name, data]] : [];
    }),
  );

/** The member that names the source of scores. */
const SCORED_BY: Record<ScoreSource, string | null> = { Event: "event", Metric: "metric", Points: null, Attribute: "attribute" };

const isChosen = (value: unknown): boolean => typeof value === "string" && value !== "";

const required = (pointer: string): Problem => ({ pointer, message: "Required." });
