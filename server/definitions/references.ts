import type { ConditionShape } from "../rules/condition.ts";
import { given, type Readable } from "../rules/readable.ts";
import { leavesIn } from "../rules/tree.ts";
import type { Kind, Shaped } from "./contract.ts";
import type { Result, DefinitionState } from "./result.ts";
import { usesIn } from "./uses.ts";

/** A definition by its kind and key. */
export interface Named {
  kind: Kind;
  key: string;
}

/** That one definition names another, wherever and however often it does. */
export interface Reference extends Named {
  user: DefinitionState;
}

export const nameOf = ({ kind, key }: Named): string => `${kind}/${key}`;

/**
 * Everything that definitions name: what they use, and besides what they only look at, which may be switched off under
 * them but must be there: missions and streaks in conditions, the members of collections.
 */
export function referencesIn(result: Result): Reference[] {
  const once = new Map<string, Reference>();
  const add = (user: DefinitionState, kind: Kind, key: string) => once.set(`${nameOf(user)} ${nameOf({ kind, key })}`, { user, kind, key });
  for (const { user, kind, key } of usesIn(result)) add(user, kind, key);
  for (const [user, rule] of rulesIn(result)) {
    for (const { leaf } of leavesIn<ConditionShape>(rule, [])) {
      const named = "missionCompleted" in leaf ? given(leaf.missionCompleted) : "streak" in leaf ? given(leaf.streak) : undefined;
      if (named !== undefined) add(user, "streak" in leaf ? "streaks" : "missions", named);
    }
  }
  for (const user of result.missionCollections.values()) {
    for (const key of given(given(user.readable)?.missions) ?? []) add(user, "missions", String(key));
  }
  for (const user of result.marketplaceCollections.values()) {
    for (const key of given(given(user.readable)?.items) ?? []) add(user, "marketplaceItems", String(key));
  }
  return [...once.values()];
}

type Ruled = "missions" | "leaderboards" | "marketplaceItems";

function rulesIn(result: Result): [DefinitionState, Readable<ConditionShape>][] {
  const ofAudience = <K extends Ruled>(kind: K) =>
    ([...result[kind].values()] as DefinitionState<Ruled>[]).map((user): [DefinitionState, Readable<ConditionShape>] => [
      user,
      given((given(user.readable) as Readable<Pick<Shaped<Ruled>, "audience">> & object)?.audience)?.rule,
    ]);
  return [
    ...[...result.segments.values()].map((user): [DefinitionState, Readable<ConditionShape>] => [user, given(user.readable)?.rule]),
    ...ofAudience("missions"),
    ...ofAudience("leaderboards"),
    ...ofAudience("marketplaceItems"),
  ];
}
