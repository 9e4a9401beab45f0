import { definitionsSchema } from "#server/api/definitions-schema.ts";
import { type Kind, KINDS } from "#server/model/definitions/contract.ts";
import type { Schema } from "./api/document.ts";
import { REWARD_EXAMPLES } from "#server/model/rules/reward.ts";

/** A small file, which a test imports. */
export const FILE = `{
  "version": 1,
  "events": [
    { "key": "order_placed", "name": "Order placed", "properties": [{ "key": "amount", "type": "Number", "required": true }] }
  ],
  "missions": [
    {
      "key": "coffee_lover",
      "name": { "default": "en", "texts": { "en": "Coffee lover", "nl": "Koffieliefhebber" } },
      "objectives": [
        {
          "description": "Five orders over 10",
          "event": "order_placed",
          "where": { "property": "amount", "operator": "GreaterThan", "value": 10 },
          "operator": "GreaterThanOrEqualTo",
          "target": 5
        }
      ],
      "rewards": [{ "kind": "Points", "points": 100 }]
    }
  ]
}`;

/** `{ "kind": "Points", "points": 100 }`, as code. */
const onOneLine = (example: object): string => `\`${JSON.stringify(example, null, 1).replaceAll(/\s+/g, " ")}\``;

/** The parts that definitions share, with their form. */
export const BLOCKS: readonly [name: string, form: string][] = [
  ["key", "Lowercase letters, digits and `_`, beginning with a letter; at most 100. Unique in its list."],
  ["text", '`"Coffee lover"` in the project\'s default language, or `{ "default": "en", "texts": { "en": "…", "nl": "…" } }`.'],
  ["images", '`{ "icon": "https://…" }`, or the id of an uploaded image; you choose the names.'],
  ["instant", "RFC 3339, such as `2026-01-31T09:00:00Z`."],
  ["value", "A string, a number or a boolean. A DateTime is an RFC 3339 string, a Collection an array."],
  ["reward", `${Object.values(REWARD_EXAMPLES).map(onOneLine).join(" or ")}.`],
  ["operator", "`EqualTo`, `NotEqualTo`, `GreaterThan`, `GreaterThanOrEqualTo`, `LessThan`, `LessThanOrEqualTo`, `In`, `NotIn`."],
  [
    "property",
    '`{ "key": "amount", "type": "Number", "required": true, "private": false }`, of an event or a metric. With `private` true its values are never suggested in the dashboard\'s forms: for names, addresses and other personal data. It can be changed at any time, the type cannot.',
  ],
  [
    "measure",
    'What is counted of events: `{ "kind": "Count" }`, `{ "kind": "DistinctDays" }`, or `Sum`, `Max`, `Min`, `Latest`, `DistinctCount` with a `property`.',
  ],
  [
    "objective",
    "An `event`, `metric` or `attribute` with `operator` and `target`, and with `where` and `measure` for events and metrics; `all`, `any` and `not` join several.",
  ],
  [
    "filter (`where`)",
    'Over one event: `{ "property": "amount", "operator": "GreaterThan", "value": 10 }`, a time of day and weekdays by `when`, joined by `all`, `any`, `not`.',
  ],
  [
    "when",
    '`{ "when": { "weekdays": ["Friday", "Saturday"], "from": "17:00", "until": "19:00" } }`: `occurredAt` in the player\'s time zone, or else the project\'s; at least one of the three. `until` is not included; before `from` it is on the next day, which still belongs to the weekday on which it began.',
  ],
  [
    "condition (segments, audiences)",
    "About a player: an `attribute`, a `segment`, an `event` or `metric` over history with `lastDays`, `points`, `missionCompleted`, a `streak`, a `share` of all players; joined by `all`, `any`, `not`.",
  ],
  [
    "share",
    '`{ "share": 25, "salt": "spring" }`: that percentage of all players, by a stable hash of the salt and the player id. Raising it keeps everyone who was in. Shares with the same salt select the same players; without a salt, each definition has its own.',
  ],
  ["audience", '`{ "rule": condition or null, "otherwise": "Locked" or "Hidden" }`; without a rule it is everyone.'],
];

export interface FileMember {
  name: string;
  isRequired: boolean;
  /** Its closed list of values. */
  values: string[];
}

export function fileMembers(): { kind: Kind; members: FileMember[] }[] {
  const file = definitionsSchema() as Schema;
  const resolved = ({ $ref, ...schema }: Schema): Schema =>
    $ref === undefined ? schema : resolved(file.$defs?.[$ref.split("/").at(-1)!] ?? {});
  const variantsOf = (schema: Schema): Schema[] => {
    const { anyOf, oneOf, ...own } = resolved(schema);
    const variants = anyOf ?? oneOf;
    return variants === undefined ? [own] : variants.flatMap(variantsOf);
  };
  const valuesOf = (schema: Schema): string[] => [
    ...new Set(variantsOf(schema).flatMap((one) => [...(one.enum ?? []), ...kindsOf(one)].filter((value) => typeof value === "string"))),
  ];
  // A member with several forms is told apart by its `kind`.
  const kindsOf = ({ properties }: Schema): unknown[] => (properties?.["kind"] === undefined ? [] : [resolved(properties["kind"]).const]);
  return KINDS.map((kind) => {
    const list = variantsOf(file.$defs?.["Definitions"]?.properties?.[kind] ?? {}).find(({ items }) => items !== undefined);
    const { properties = {}, required = [] } = resolved(list?.items ?? {});
    const members = Object.entries(properties).map(([name, schema]) => ({
      name,
      isRequired: required.includes(name),
      values: valuesOf(schema),
    }));
    return { kind, members };
  });
}
