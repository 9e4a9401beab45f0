import fc from "fast-check";
import { expect, it } from "vitest";
import { Decimal, simplify } from "../kernel/decimal.ts";
import { parseJson } from "../kernel/json.ts";
import type { ScalarType } from "../kernel/values.ts";
import { DefinitionsInMemory, fileOf, withMission } from "./testing.ts";

const written = (definitions: DefinitionsInMemory): string => JSON.stringify(definitions.export(), null, 2);

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const text = fc
  .string({ minLength: 1, maxLength: 20, unit: "grapheme" })
  .filter((word) => word.trim() !== "" && !word.includes("\0") && word.isWellFormed());
const localized = fc.oneof(
  text,
  fc
    .dictionary(fc.constantFrom("nl", "de", "pt-BR", "EN"), text)
    .chain((texts) => text.map((fr) => ({ default: "fr", texts: { ...texts, fr } }))),
);
const images = fc.dictionary(
  fc.constantFrom("icon", "10", "9", "Badge", "toString"),
  fc.constantFrom("https://example.com/a.png", "HTTP://EXAMPLE.COM"),
);
const number = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 28n - 1n }))
  .map(([negative, units]) => simplify(Decimal.of(negative ? -units : units).times(Decimal.parse("0.00000001")!)));
const instant = fc
  .date({ min: new Date("0001-01-02"), max: new Date("9999-12-30"), noInvalidDate: true })
  .map((date) => date.toISOString().replace("Z", "+01:00"));

const VALUES: Record<ScalarType, fc.Arbitrary<unknown>> = { String: text, Number: number, Boolean: fc.boolean(), DateTime: instant };
const TYPES = Object.keys(VALUES) as ScalarType[];
const PROPERTIES = TYPES.map((type) => ({ key: type.toLowerCase(), type }));
const operatorsOf = (type: ScalarType) =>
  fc.constantFrom(
    ...(type === "Number" || type === "DateTime" ? ["GreaterThan", "LessThan", "EqualTo", "In"] : ["EqualTo", "NotEqualTo", "NotIn"]),
  );
const comparison = <Name extends string>(type: ScalarType, name: Name) =>
  operatorsOf(type).chain((operator) =>
    (operator.endsWith("In") ? fc.array(VALUES[type], { minLength: 1, maxLength: 3 }) : VALUES[type]).map((value) => ({
      operator,
      [name]: value,
    })),
  );

const filter = fc.letrec<{ any: object }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom(...TYPES).chain((type) => comparison(type, "value").map((rest) => ({ property: type.toLowerCase(), ...rest }))),
    fc.array(tie("any"), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    tie("any").map((not) => ({ not })),
  ),
})).any;

const measured = fc.oneof(
  comparison("Number", "target"),
  comparison("Number", "target").map((rest) => ({ measure: { kind: "Sum", property: "number" }, ...rest })),
  fc
    .constantFrom(...TYPES)
    .chain((type) => comparison(type, "target").map((rest) => ({ measure: { kind: "Latest", property: type.toLowerCase() }, ...rest }))),
);
const condition = fc
  .record({ description: optional(localized), where: optional(filter) })
  .chain((around) => measured.map((rest) => ({ event: "happened", ...around, ...rest })));
const objective = fc.oneof(
  condition,
  fc.record({ description: optional(localized), any: fc.array(condition, { minLength: 1, maxLength: 2 }) }),
);
const reward = fc.oneof(
  fc.integer({ min: 1 }).map((points) => ({ kind: "Points", points })),
  fc.constantFrom(...TYPES).chain((type) => VALUES[type].map((value) => ({ kind: "CatalogItem", catalogItem: type.toLowerCase(), value }))),
);
const key = fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/);
const missions = fc.uniqueArray(
  fc.record({
    key,
    name: localized,
    description: optional(fc.option(localized)),
    images: optional(images),
    active: optional(fc.boolean()),
    optIn: optional(fc.constantFrom("Automatic", "Manual")),
    appearsIn: optional(fc.constantFrom("Feed", "CollectionOnly")),
    recurrence: optional(fc.constantFrom({ kind: "Calendar", every: "Day" }, { kind: "AfterCompletion", cooldownHours: 1.5 })),
    audience: optional(fc.constantFrom({ otherwise: "Hidden" }, { rule: null })),
    window: optional(instant.map((endsAt) => ({ endsAt }))),
    objectives: fc
      .array(objective, { minLength: 1, maxLength: 3 })
      .map((some) => [{ event: "happened", operator: "GreaterThan", target: 0 }, ...some]),
    rewards: fc.array(reward, { minLength: 1, maxLength: 3 }),
  }),
  { selector: ({ key }) => key, maxLength: 4 },
);
const file = missions.map((some) =>
  fileOf({
    events: [{ key: "happened", name: "Happened", properties: PROPERTIES }],
    catalogItems: TYPES.map((type) => ({ key: type.toLowerCase(), name: type, valueType: type })),
    missions: some,
  }),
);

it("export, import into an empty environment, export again: the same bytes; and the file itself changes nothing then", () => {
  fc.assert(
    fc.property(file, (document) => {
      const first = DefinitionsInMemory.after(document);
      const exported = written(first);
      const second = new DefinitionsInMemory();
      second.changes(parseJson(exported), { language: "nl" });
      expect(written(second)).toBe(exported);
      expect(second.changes(parseJson(exported))).toEqual([]);
      expect(first.changes(document)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

it("writes the defaults out, members in the order of the specification, lists in the order of creation", () => {
  const definitions = DefinitionsInMemory.after(fileOf({ events: [{ key: "z", name: "Z" }], baseCurrency: "EUR" }));
  definitions.changes(withMission({ images: { z: "https://example.com", a: "https://example.com" } }));
  const exported = definitions.export() as { events: { key: string }[]; missions: object[] };
  expect(Object.keys(exported)).toEqual(["version", "discovery", "baseCurrency", "events", "attributes", "catalogItems", "missions"]);
  expect(exported.events.map(({ key }) => key)).toEqual(["z", "order_placed", "order_returned"]);
  expect(JSON.stringify(exported.missions[0])).toBe(
    JSON.stringify({
      key: "m",
      name: { default: "en", texts: { en: "M" } },
      active: true,
      description: null,
      images: { a: "https://example.com", z: "https://example.com" },
      optIn: "Automatic",
      objectiveOrder: "AnyOrder",
      appearsIn: "Feed",
      recurrence: { kind: "None" },
      audience: { rule: null, otherwise: "Locked" },
      window: { startsAt: null, endsAt: null },
      objectives: [
        { description: null, event: "order_placed", where: null, measure: { kind: "Count" }, operator: "GreaterThanOrEqualTo", target: 1 },
      ],
      rewards: [{ kind: "Points", points: 5 }],
    }),
  );
});
