import { checkCondition } from "../rules/condition.ts";
import { type Finding, finding, type Path } from "../rules/finding.ts";
import { pointerTo } from "../rules/naming.ts";
import { given, type Readable } from "../rules/readable.ts";
import { checkReference, type Sources } from "../rules/scope.ts";
import { hasKey, IDENTITY, type Kind, KINDS, type Shaped } from "./contract.ts";
import { type Entry, type File, keyOf } from "./file.ts";
import { type Circumstances, immutableFindings } from "./immutable.ts";
import { imageFindings } from "./image-references.ts";
import { fixedLeaderboardFindings, leaderboardFindings } from "./leaderboard-rules.ts";
import { listingFindings } from "./listings.ts";
import { missionFindings } from "./mission-rules.ts";
import { moneyFindings } from "./money.ts";
import type { Result, DefinitionState } from "./result.ts";
import { segmentFindings } from "./segments.ts";
import { streakFindings } from "./streak-rules.ts";
import { removedPropertyFindings, switchedOffFindings } from "./switched-off.ts";
import { scopeOf, soundSources } from "./scope.ts";
import { usesIn } from "./uses.ts";

/**
 * Everything that is wrong with a file besides its shapes, asked of the whole set as it would stand afterwards
 * (definitions.md, Rules). In the order of the file.
 */
export function findingsIn(file: File, result: Result, circumstances: Circumstances): Finding[] {
  const uses = usesIn(result);
  const sources = soundSources(result);
  const entries = KINDS.flatMap((kind): readonly Entry[] => file.lists[kind] ?? []);
  return [
    ...KINDS.flatMap((kind) => repeatedKeys(file.lists[kind] ?? [])),
    ...entries.flatMap((entry) => ownFindings(entry, result, sources)),
    ...segmentFindings(result),
    ...moneyFindings(file, result, circumstances),
    ...(circumstances.images === undefined ? [] : imageFindings(file, circumstances.images)),
    ...statesOf(result).flatMap((state) => immutableFindings(state, result, circumstances)),
    ...[...result.leaderboards.values()].flatMap((board) => fixedLeaderboardFindings(board, result, circumstances.now)),
    ...removedPropertyFindings(result, uses),
    ...switchedOffFindings(result, uses),
  ];
}

const statesOf = (result: Result): DefinitionState[] => KINDS.flatMap((kind) => [...(result[kind].values() as Iterable<DefinitionState>)]);

function ownFindings(entry: Entry, result: Result, sources: Sources): Finding[] {
  switch (entry.kind) {
    case "events":
      return repeatedProperties(entry);
    case "segments":
      return checkCondition(given(entry.readable)?.rule, [entry.kind, entry.at, "rule"], scopeOf(result));
    case "missions":
      return missionFindings(entry, result, sources);
    case "missionCollections":
      return collectionFindings(given(entry.readable)?.missions, "missions", [entry.kind, entry.at, "missions"], result);
    case "marketplaceItems":
      return listingFindings(entry, result);
    case "marketplaceCollections":
      return collectionFindings(given(entry.readable)?.items, "marketplaceItems", [entry.kind, entry.at, "items"], result);
    case "metrics":
      return repeatedProperties(entry);
    case "streaks":
      return streakFindings(entry, result);
    case "leaderboards":
      return leaderboardFindings(entry, result);
    case "attributes":
    case "catalogItems":
    case "exchangeRates":
    case "pointsValuations":
      return [];
  }
}

/** The members of a collection are there, each once. */
function collectionFindings(members: Readable<string[]>, kind: Kind, path: Path, result: Result): Finding[] {
  const references = given(members) ?? [];
  const scope = scopeOf(result);
  return [
    ...references.flatMap((member, place) => checkReference(kind, member, [...path, place], scope)),
    ...repeated(references.map((member) => given(member))).map(({ key, at: place, first }) =>
      finding([...path, place], "definition.member_repeated", { kind, key, pointer: pointerTo([...path, first]) }),
    ),
  ];
}

function repeatedKeys(entries: readonly Entry[]): Finding[] {
  return repeated(entries.map((entry) => keyOf(entry) ?? undefined)).map(({ key, at, first }) => {
    const kind = entries[at]?.kind as Kind;
    return finding([kind, at, IDENTITY[kind]], "definition.repeated", {
      kind,
      key,
      pointer: pointerTo([kind, first]),
      hasKey: hasKey(kind),
    });
  });
}

function repeatedProperties({ kind, at: event, readable }: Entry<"events" | "metrics">): Finding[] {
  const properties: Readable<Shaped<"events">["properties"]> = given(readable)?.properties;
  const keys = (given(properties) ?? []).map((one) => given(given(one)?.key));
  return repeated(keys).map(({ key, at }) => finding([kind, event, "properties", at, "key"], "property.repeated", { kind, key }));
}

function repeated(keys: readonly (string | undefined)[]): { key: string; at: number; first: number }[] {
  const firsts = new Map<string, number>();
  return keys.flatMap((key, at) => {
    if (key === undefined) return [];
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, at);
    return first === undefined ? [] : [{ key, at, first }];
  });
}
