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

/** The parts that definitions share, with their form. */
export const BLOCKS: readonly [name: string, form: string][] = [
  ["key", "Small letters, digits and `_`, beginning with a letter; at most 100. Unique for a list."],
  ["text", '`"Coffee lover"` in the project\'s default language, or `{ "default": "en", "texts": { "en": "…", "nl": "…" } }`.'],
  ["images", '`{ "icon": "https://…" }`, or the id of an uploaded image; the names are yours.'],
  ["instant", "RFC 3339, such as `2026-01-31T09:00:00Z`."],
  ["value", "A string, a number or a boolean. A DateTime is an RFC 3339 string, a Collection an array."],
  ["reward", '`{ "kind": "Points", "points": 100 }` or `{ "kind": "CatalogItem", "catalogItem": "free_coffee", "value": 1 }`.'],
  ["operator", "`EqualTo`, `NotEqualTo`, `GreaterThan`, `GreaterThanOrEqualTo`, `LessThan`, `LessThanOrEqualTo`, `In`, `NotIn`."],
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
    "condition (segments, audiences)",
    "About a player: an `attribute`, a `segment`, an `event` or `metric` over history with `lastDays`, `points`, `missionCompleted`, a `streak`, a `share` of all players; joined by `all`, `any`, `not`.",
  ],
  ["audience", '`{ "rule": condition or null, "otherwise": "Locked" or "Hidden" }`; without a rule it is everyone.'],
];
