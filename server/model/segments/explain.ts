import type { Definitions } from "../definitions/compiled.ts";
import type { Words } from "../definitions/words.ts";
import type { Player } from "../kernel/player.ts";
import { type Condition, type ConditionLeaf, inputName, inputPhrase, inputType, qualifies } from "../rules/condition.ts";
import { standingText } from "../rules/operator.ts";
import { shareText } from "../rules/share.ts";
import { begun, textOf } from "../rules/phrase.ts";
import { type Combination, fold } from "../rules/tree.ts";

/** One line of an explanation; lines that belong together follow each other, those inside another one step deeper. */
export interface ExplainedLine {
  depth: number;
  isMet: boolean;
  text: string;
}

const HEADINGS: Record<Combination, string> = { all: "All of these", any: "At least one of these", not: "Not this" };

/** The verdict on an audience, condition by condition, with the player's values. The verdicts come from `qualifies`. */
export const explainAudience = (
  player: Player,
  condition: Condition,
  definitions: Pick<Definitions, "attributesById">,
  words: Words,
): ExplainedLine[] =>
  fold<Condition, ExplainedLine[]>(
    condition,
    (leaf) => [{ depth: 0, isMet: qualifies(player, leaf), text: leafText(player, leaf, definitions, words) }],
    (how, inside, group) => [
      { depth: 0, isMet: qualifies(player, group), text: HEADINGS[how] },
      ...inside.flat().map((line) => ({ ...line, depth: line.depth + 1 })),
    ],
  );

function leafText(player: Player, leaf: ConditionLeaf, { attributesById }: Pick<Definitions, "attributesById">, words: Words): string {
  const timeZone = words.zone;
  switch (leaf.kind) {
    case "attribute": {
      const { attributeId } = leaf;
      const type = attributesById.get(attributeId)?.type;
      return `${words.nameOf(attributeId)} ${standingText(player.attributes.get(attributeId)?.value, { ...leaf, type, timeZone })}`;
    }
    case "input": {
      const value = player.inputs.get(inputName(leaf.input)) ?? null;
      const subject = textOf(begun(inputPhrase(leaf.input, (id) => words.nameOf(id), timeZone)));
      return `${subject} ${standingText(value, { ...leaf, type: inputType(leaf.input), timeZone })}`;
    }
    case "balance":
      return `Points balance ${standingText(player.balance, { ...leaf, type: "Number", timeZone })}`;
    case "missionCompleted": {
      const isCompleted = player.completedMissions.has(leaf.missionId);
      return `Mission "${words.nameOf(leaf.missionId)}" is ${isCompleted ? "completed" : "not completed yet"}`;
    }
    case "share":
      return shareText(player.externalId, leaf);
  }
}
