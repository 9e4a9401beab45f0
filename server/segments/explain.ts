import type { Condition, Definitions, Measure, Question } from "../definitions/compiled.ts";
import { standingText, type Words } from "../definitions/words.ts";
import type { Player } from "../kernel/player.ts";
import type { Scalar, ScalarType } from "../kernel/values.ts";
import { filterText } from "../missions/explain.ts";
import { qualifies, questionName } from "./conditions.ts";

/** One line of an explanation; lines that belong together follow each other, those inside another one step deeper. */
export interface Line {
  depth: number;
  isMet: boolean;
  text: string;
}

/** Who takes part, condition by condition, with what the player has for each. The verdicts are `qualifies`'s own. */
export function explainAudience(
  player: Player,
  condition: Condition,
  definitions: Pick<Definitions, "attributesById">,
  words: Words,
  depth = 0,
): Line[] {
  const isMet = qualifies(player, condition);
  const inside = (conditions: readonly Condition[]) =>
    conditions.flatMap((one) => explainAudience(player, one, definitions, words, depth + 1));
  if ("all" in condition) return [{ depth, isMet, text: "All of these" }, ...inside(condition.all)];
  if ("any" in condition) return [{ depth, isMet, text: "At least one of these" }, ...inside(condition.any)];
  if ("not" in condition) return [{ depth, isMet, text: "Not this" }, ...inside([condition.not])];
  return [{ depth, isMet, text: leafText(player, condition, definitions, words) }];
}

type Leaf = Extract<Condition, { kind: string }>;

function leafText(player: Player, condition: Leaf, { attributesById }: Pick<Definitions, "attributesById">, words: Words): string {
  switch (condition.kind) {
    case "attribute": {
      const { attributeId } = condition;
      const type = attributesById.get(attributeId)?.type ?? "String";
      return standingText(words.nameOf(attributeId), player.attributes.get(attributeId)?.value, { ...condition, type }, words);
    }
    case "asked": {
      const answer = player.answers.get(questionName(condition.question)) ?? null;
      return standingText(questionText(condition.question, words), answer, { ...condition, type: typeOf(answer, condition.value) }, words);
    }
    case "balance":
      return standingText("Points balance", player.balance, { ...condition, type: "Number" }, words);
    case "missionCompleted": {
      const isCompleted = player.completedMissions.has(condition.missionId);
      return `Mission "${words.nameOf(condition.missionId)}" is ${isCompleted ? "completed" : "not completed yet"}`;
    }
  }
}

/** Answers over history carry no type: an instant looks like one. */
function typeOf(answer: Scalar | null, value: Scalar | readonly Scalar[]): ScalarType {
  const one = answer ?? (Array.isArray(value) ? (value as readonly Scalar[])[0] : (value as Scalar));
  if (typeof one === "string") return /^\d{4}-\d\d-\d\dT/.test(one) ? "DateTime" : "String";
  return typeof one === "boolean" ? "Boolean" : "Number";
}

function questionText(question: Question, words: Words): string {
  if ("streak" in question) return `The length of the streak "${words.nameOf(question.streak.id)}"`;
  const { rollup, lastDays } = question;
  const where = rollup.where === null ? "" : ` where ${filterText(rollup.where, words)}`;
  const days = lastDays === null ? "" : lastDays === 1 ? " today" : ` in the last ${lastDays} days`;
  return `${measureText(rollup.measure)} "${words.nameOf(rollup.eventId)}"${where}${days}`;
}

/** What is taken of events: "The sum of amount of". */
function measureText(measure: Measure): string {
  switch (measure.kind) {
    case "Count":
      return "The number of";
    case "DistinctDays":
      return "The number of days with";
    case "DistinctCount":
      return `The number of different values of ${measure.property ?? "value"} of`;
    case "Sum":
      return `The sum of ${measure.property ?? "value"} of`;
    case "Max":
      return `The highest ${measure.property ?? "value"} of`;
    case "Min":
      return `The lowest ${measure.property ?? "value"} of`;
    case "Latest":
      return `The latest ${measure.property ?? "value"} of`;
  }
}
