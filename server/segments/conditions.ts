import type { Audience, Condition, Question } from "../definitions/compiled.ts";
import { holds } from "../kernel/operators.ts";
import type { Player } from "../kernel/player.ts";

/** Whether a player qualifies (definitions.md, Condition). What the condition asks must have been answered. */
export function qualifies(player: Player, condition: Condition): boolean {
  if ("all" in condition) return condition.all.every((one) => qualifies(player, one));
  if ("any" in condition) return condition.any.some((one) => qualifies(player, one));
  if ("not" in condition) return !qualifies(player, condition.not);
  switch (condition.kind) {
    case "attribute":
      return holds(player.attributes.get(condition.attributeId)?.value, condition.operator, condition.value);
    case "asked": {
      const answer = player.answers.get(questionName(condition.question));
      if (answer === undefined) throw new Error(`Nobody asked ${questionName(condition.question)} about player ${player.playerId}.`);
      return holds(answer, condition.operator, condition.value);
    }
    case "balance":
      return holds(player.balance, condition.operator, condition.value);
    case "missionCompleted":
      return player.completedMissions.has(condition.missionId);
  }
}

/** How a question is named in `Player.answers`. */
export const questionName = (question: Question): string =>
  "streak" in question ? `streak/${question.streak.id}` : `${question.rollup.id}/${question.lastDays ?? "all"}`;

/** What a condition asks; the same question may come up again. */
export function questionsIn(condition: Condition): Question[] {
  if ("all" in condition) return condition.all.flatMap(questionsIn);
  if ("any" in condition) return condition.any.flatMap(questionsIn);
  if ("not" in condition) return questionsIn(condition.not);
  return condition.kind === "asked" ? [condition.question] : [];
}

/** What some audiences ask. */
export const questionsOfAudiences = (all: readonly { audience: Audience }[]): Question[] =>
  all.flatMap(({ audience }) => (audience.rule === null ? [] : questionsIn(audience.rule)));
