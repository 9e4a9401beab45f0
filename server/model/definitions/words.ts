import { instantInWords } from "../kernel/dates.ts";
import { pickText } from "../kernel/texts.ts";
import { objectiveSentence } from "../rules/objective.ts";
import type { DescribeScope } from "../rules/scope.ts";
import { KINDS } from "./contract.ts";
import type { StoredDefinitions } from "./stored.ts";

/** How explanations for people name definitions and write instants. */
export interface Words {
  /** The name of a definition of any kind; all kinds share one sequence of ids. */
  nameOf(id: number): string;
  /** IANA zone in which instants are written. */
  zone: string;
}

export interface WordsWithObjectives extends Words {
  /** The objectives of a mission, each by its description or else by its sentence. */
  objectivesOf(missionId: number): readonly string[];
}

/** Names in the project's language. */
export function wordsOf(stored: StoredDefinitions, language: string, zone: string): WordsWithObjectives {
  const { lists } = stored;
  const names = new Map<number, string>();
  for (const kind of KINDS) {
    for (const { id, shaped } of lists[kind]) names.set(id, "name" in shaped ? pickText(shaped.name, language) : shaped.key);
  }
  const missions = new Map(lists.missions.map(({ id, shaped }) => [id, shaped]));
  const objectives = new Map<number, readonly string[]>();
  let scope: DescribeScope | undefined;
  return {
    zone,
    nameOf: (id) => names.get(id) ?? `definition ${id}`,
    objectivesOf(missionId) {
      let labels = objectives.get(missionId);
      if (labels === undefined) {
        labels = (missions.get(missionId)?.objectives ?? []).map((objective) =>
          objective.description === null
            ? objectiveSentence(objective, (scope ??= describeScopeOf(stored, language, zone)))
            : pickText(objective.description, language),
        );
        objectives.set(missionId, labels);
      }
      return labels;
    },
  };
}

function describeScopeOf({ lists }: StoredDefinitions, language: string, timeZone: string): DescribeScope {
  const keyed = <Shaped extends { key: string }>(all: readonly { shaped: Shaped }[]) =>
    new Map(all.map(({ shaped }) => [shaped.key, shaped]));
  const named = {
    events: keyed(lists.events),
    metrics: keyed(lists.metrics),
    attributes: keyed(lists.attributes),
    catalogItems: keyed(lists.catalogItems),
    missions: keyed(lists.missions),
    streaks: keyed(lists.streaks),
    segments: keyed(lists.segments),
  };
  return {
    attributeType: (key) => named.attributes.get(key)?.type,
    propertyType: ({ event, metric }, property) =>
      (metric == null ? named.events.get(event ?? "") : named.metrics.get(metric))?.properties.find(({ key }) => key === property)?.type,
    itemType: (key) => named.catalogItems.get(key)?.valueType,
    nameOf(kind, key) {
      const found = named[kind].get(key);
      return found === undefined ? key : pickText(found.name, language);
    },
    timeZone,
  };
}

/** "10 Mar 2026, 12:00" on the clocks of the zone. */
export const instantInZone = (instant: number, { zone }: Pick<Words, "zone">): string => instantInWords(instant, zone);
