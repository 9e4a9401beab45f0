import { z } from "zod";
import { audienceShape } from "../../rules/audience.ts";
import type { DefinitionOf } from "../../rules/kind-module.ts";
import { objectiveShape } from "../../rules/objective.ts";
import { rewardShape } from "../../rules/reward.ts";
import { missionRecurrence, span } from "../../rules/schedule.ts";
import { defaulted, filledList, oneOf } from "../../rules/shapes.ts";
import { definition, description, images } from "../../rules/text-shapes.ts";

export const missionShape = z.strictObject({
  ...definition,
  description,
  images,
  optIn: defaulted(oneOf(["Automatic", "Manual"]), "Automatic"),
  objectiveOrder: defaulted(oneOf(["AnyOrder", "InOrder"]), "AnyOrder"),
  appearsIn: defaulted(oneOf(["Feed", "CollectionOnly"]), "Feed"),
  recurrence: defaulted(missionRecurrence, { kind: "None" }),
  audience: defaulted(audienceShape, { rule: null, otherwise: "Locked" }),
  window: defaulted(span, { startsAt: null, endsAt: null }),
  objectives: filledList(objectiveShape),
  rewards: filledList(rewardShape),
});
export type MissionShape = DefinitionOf<typeof missionShape>;
