import { parseJson } from "#server/model/kernel/json.ts";
import { type ObjectiveDraft, objectivePhrase } from "#server/model/rules/objective.ts";
import { begun, textOf } from "#server/model/rules/phrase.ts";
import { type Catalogue, scopeOf } from "../catalogue.ts";

/** The sentence of each objective in a mission document; empty for other definitions. */
export function objectivesIn(document: string, catalogue: Catalogue): string[] {
  const { objectives } = parseJson(document) as { objectives?: readonly ObjectiveDraft[] };
  return (objectives ?? []).map((objective) => textOf(begun(objectivePhrase(objective, scopeOf(catalogue)))));
}
