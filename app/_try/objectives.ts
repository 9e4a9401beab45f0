import { parseJson } from "../../server/kernel/json.ts";
import type { Catalogue } from "../authoring/catalogue.ts";
import type { Objective } from "../authoring/rules/shapes.ts";
import { sentenceOf } from "../authoring/sentences/rules.ts";

/** What each objective of a mission's document says; nothing for what has none. */
export function objectivesIn(document: string, catalogue: Catalogue): string[] {
  const { objectives } = parseJson(document) as { objectives?: readonly Objective[] };
  return (objectives ?? []).map((objective) => sentenceOf(objective, catalogue));
}
