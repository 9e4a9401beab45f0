import { conditionsOf, propertiesOf } from "./conditions.ts";
import { type Finding, type Path, quoted, quotedList } from "./problems.ts";
import { given, isLeftOut } from "./readable.ts";
import { NOUNS, type Result, type Standing } from "./result.ts";

/** A place where one definition names another. */
interface Use {
  user: Standing;
  kind: "events" | "catalogItems";
  key: string;
  /** Of an event, the properties that are read there. */
  properties: readonly string[];
  /** The place of the reference inside the user. */
  path: Path;
}

/** Every place where a definition of the result names another one. */
export const usesIn = (result: Result): Use[] => [...result.missions.values()].flatMap(usesOfMission);

function usesOfMission(user: Standing<"missions">): Use[] {
  const mission = given(user.readable);
  if (mission === undefined) return [];
  const events = conditionsOf(mission.objectives, ["objectives"]).flatMap((one): Use[] => {
    const key = given(one.condition.event);
    return key === undefined ? [] : [{ user, kind: "events", key, properties: propertiesOf(one), path: [...one.path, "event"] }];
  });
  const items = (given(mission.rewards) ?? []).flatMap((reward, at): Use[] => {
    const one = given(reward);
    const key = one !== undefined && "catalogItem" in one ? given(one.catalogItem) : undefined;
    return key === undefined ? [] : [{ user, kind: "catalogItems", key, properties: [], path: ["rewards", at, "catalogItem"] }];
  });
  return [...events, ...items];
}

/**
 * What an active definition uses must be active (definitions.md, Rules). Switching it off is refused where it happens,
 * with the names of the users; naming what is off already is refused at the reference.
 */
export function switchedOffFindings(result: Result, uses: readonly Use[]): Finding[] {
  const refused = uses.filter(({ user, kind, key }) => user.isActive && result[kind].get(key)?.isActive === false);
  const bySubject = Map.groupBy(refused, ({ kind, key }) => result[kind].get(key) as Standing);
  return [...bySubject].flatMap(([subject, users]) => {
    const thing = `the ${NOUNS[subject.kind]} ${quoted(subject.key)}`;
    if (!subject.stored?.shaped.active)
      return atReferences(users, `${thing} is switched off; switch it on, or switch this ${NOUNS.missions} off`);
    const names = namesOf(users);
    if (subject.entry !== null) {
      return [
        {
          path: [subject.kind, subject.entry.at, "active"],
          message: `${thing} cannot be switched off while ${names} uses it; switch that off first`,
        },
      ];
    }
    return [
      {
        path: [subject.kind],
        message: `leaving ${thing} out would switch it off while ${names} uses it; put it into the list, or switch that off`,
      },
    ];
  });
}

const atReferences = (uses: readonly Use[], message: string): Finding[] =>
  uses.flatMap(({ user, path }) => (user.entry === null ? [] : [{ path: [user.kind, user.entry.at, ...path], message }]));

const namesOf = (uses: readonly Use[]): string => {
  const keys = [...new Set(uses.map(({ user }) => user.key))];
  return keys.length === 1 ? `the mission ${quotedList(keys)}` : `each of the missions ${quotedList(keys)}`;
};

/** A property that some mission reads stays: its reading would stop, or change its meaning. */
export function removedPropertyFindings(event: Standing<"events">, uses: readonly Use[]): Finding[] {
  const left = given(event.readable)?.properties;
  if (event.stored === null || event.entry === null || (!isLeftOut(left) && given(left) === undefined)) return [];
  const readable = (given(left) ?? []).map((one) => given(given(one)?.key));
  if (readable.includes(undefined)) return [];
  return event.stored.shaped.properties.flatMap(({ key }) => {
    const users = uses.filter((use) => use.kind === "events" && use.key === event.key && use.properties.includes(key));
    if (readable.includes(key) || users.length === 0) return [];
    return [
      {
        path: ["events", event.entry?.at ?? 0, "properties"],
        message: `the property ${quoted(key)} cannot be removed while ${namesOf(users)} uses it`,
      },
    ];
  });
}
