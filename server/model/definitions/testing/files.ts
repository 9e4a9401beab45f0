import { compileObjective, isSatisfiedWithoutEvents } from "../../rules/objective.ts";
import type { Sources } from "../../rules/scope.ts";
import { WEEKDAYS } from "../../rules/when.ts";
import fc from "fast-check";
import { compareNumbers, Decimal, simplify } from "../../kernel/decimal.ts";
import type { ScalarType } from "../../kernel/values.ts";
import { SHAPES } from "../kinds.ts";

/**
 * Random valid definitions files, with every kind and every form of a condition: references of active definitions are active, missions can
 * be completed and repeat within reason, and segments name earlier ones, in any order of the file.
 */
export function soundFiles(): fc.Arbitrary<SoundFile> {
  return fc
    .record({
      missions: fc.integer({ min: 1, max: 4 }),
      segments: fc.integer({ min: 0, max: 4 }),
      streaks: fc.integer({ min: 0, max: 3 }),
      listings: fc.integer({ min: 0, max: 3 }),
      off: fc.boolean(),
      isMoney: fc.boolean(),
    })
    .chain(({ missions, segments, streaks, listings, off, isMoney }) => {
      const listingKeys = LISTINGS.slice(0, listings);
      const keys = { missions: MISSIONS.slice(0, missions), segments: SEGMENTS.slice(0, segments), streaks: STREAKS.slice(0, streaks) };
      return fc.record({
        version: fc.constant(1),
        discovery: optional(fc.record({ events: fc.boolean(), attributes: optional(fc.boolean()) })),
        baseCurrency: isMoney ? fc.constant("EUR") : optional(fc.constantFrom("EUR", null)),
        events: fc.tuple(...EVENTS.map((key) => event(key)), event("retired_event", off)),
        metrics: fc.tuple(
          metric("steps", "Number"),
          metric("spend", isMoney ? "Currency" : "Number"),
          metric("retired_metric", "Number", off),
        ),
        exchangeRates: isMoney ? rates : fc.constant([]),
        attributes: fc.tuple(...TYPES.map((type) => attribute(type)), attribute("String", "retired_attribute", off)),
        segments: fc
          .tuple(...keys.segments.map((key, at) => segment(key, { ...keys, segments: keys.segments.slice(0, at) }, off)))
          .chain((list) => fc.shuffledSubarray(list, { minLength: list.length })),
        catalogItems: fc.tuple(...[...TYPES, "Collection"].map((type) => item(type))),
        missions: fc.tuple(...keys.missions.map((key) => mission(key, keys, off))),
        missionCollections: fc.uniqueArray(collection("missions", keys.missions), { maxLength: 2, selector: ({ key }) => key }),
        streaks: fc.tuple(...keys.streaks.map((key) => streak(key, off))),
        marketplaceItems: fc.tuple(...listingKeys.map((key) => listing(key, keys, off))),
        marketplaceCollections: fc.uniqueArray(collection("items", listingKeys), { maxLength: 2, selector: ({ key }) => key }),
        pointsValuations: fc.uniqueArray(valuation, { maxLength: 3, selector: ({ effectiveFrom }) => Date.parse(effectiveFrom) }),
      });
    });
}

export interface SoundFile {
  segments: { key: string; rule: object }[];
  missions: { key: string; objectives: object[]; rewards: object[] }[];
  missionCollections: { key: string; missions: string[] }[];
  marketplaceItems: { key: string; contents: object[] }[];
}

const MISSIONS = ["first", "constructor", "m_3", "z9"];
const SEGMENTS = ["vip", "rich", "valueof", "s_4"];
const STREAKS = ["daily", "constructor", "weekly"];
const LISTINGS = ["voucher", "constructor", "l_3"];
const EVENTS = ["happened", "order_placed"];
const METRICS = ["steps", "spend"];
const TYPES: readonly ScalarType[] = ["String", "Number", "Boolean", "DateTime"];

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
const shown = { name: localized, description: optional(fc.option(localized)), images: optional(images) };

const number = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 28n - 1n }))
  .map(([negative, units]) => simplify(Decimal.of(negative ? -units : units).times(Decimal.parse("0.00000001")!)));
const instant = fc
  .date({ min: new Date("0001-01-02"), max: new Date("9999-12-30"), noInvalidDate: true })
  .map((date) => date.toISOString().replace("Z", "+01:00"));
const VALUES: Record<ScalarType, fc.Arbitrary<unknown>> = { String: text, Number: number, Boolean: fc.boolean(), DateTime: instant };

const property = (type: ScalarType): string => (type === "String" ? "constructor" : type.toLowerCase());

const event = (key: string, off = false) =>
  fc.record({
    key: fc.constant(key),
    name: localized,
    active: fc.constant(!off),
    properties: fc.constant(TYPES.map((type) => ({ key: property(type), type }))),
  });

const metric = (key: string, kind: string, off = false) =>
  event(key, off).chain((shaped) => fc.record({ ...constants(shaped), kind: fc.constant(kind) }));

const constants = <Shape extends object>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([name, value]) => [name, fc.constant(value as unknown)]));

const positive = number.map((given) => (compareNumbers(given, 0) > 0 ? given : 0.5));

const rates = fc.uniqueArray(fc.record({ currencyCode: fc.constantFrom("USD", "GBP", "JPY"), rate: positive }), {
  selector: ({ currencyCode }) => currencyCode,
});

const attribute = (type: ScalarType, key: string = type.toLowerCase(), off = false) =>
  fc.record({ key: fc.constant(key), name: localized, type: fc.constant(type), active: fc.constant(!off) });

const item = (type: string) => fc.record({ key: fc.constant(type.toLowerCase()), ...shown, valueType: fc.constant(type) });

/** An operator and a value of a type; the value is called `name`. */
const comparison = <Name extends "value" | "target">(type: ScalarType, name: Name) =>
  fc
    .constantFrom(
      ...["EqualTo", "NotEqualTo", "In", "NotIn"],
      ...(type === "Number" || type === "DateTime" ? ["GreaterThan", "GreaterThanOrEqualTo", "LessThan", "LessThanOrEqualTo"] : []),
    )
    .chain((operator) =>
      (operator.endsWith("In") ? fc.array(VALUES[type], { minLength: 1, maxLength: 3 }) : VALUES[type]).map((value) => ({
        operator,
        [name]: value,
      })),
    );

/** Trees of these leaves under `all`, `any` and `not`, a few levels deep. */
const combined = (leaf: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.letrec<{ tree: object }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      leaf,
      fc.array(tie("tree"), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
      fc.array(tie("tree"), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
      tie("tree").map((not) => ({ not })),
    ),
  })).tree;

const someType = fc.constantFrom(...TYPES);
const when = fc
  .record({
    weekdays: optional(fc.option(fc.subarray([...WEEKDAYS], { minLength: 1 }))),
    from: optional(fc.constantFrom(null, "07:30", "22:00")),
    until: optional(fc.constantFrom(null, "00:00", "12:00")),
  })
  .filter(({ weekdays, from, until }) => Boolean(weekdays ?? from ?? until))
  .map((times) => ({ when: times }));
const filter = combined(
  fc.oneof(
    someType.chain((type) => comparison(type, "value").map((rest) => ({ property: property(type), ...rest }))),
    when,
  ),
);

const MEASURABLE: Record<string, readonly ScalarType[]> = {
  Sum: ["Number"],
  Max: ["Number", "DateTime"],
  Min: ["Number", "DateTime"],
  Latest: TYPES,
  DistinctCount: TYPES,
};

const measured = (name: "value" | "target") =>
  fc.oneof(
    fc
      .constantFrom(undefined, { kind: "Count" }, { kind: "DistinctDays" })
      .chain((measure) => comparison("Number", name).map((rest) => ({ ...(measure && { measure }), ...rest }))),
    fc.constantFrom(...Object.keys(MEASURABLE)).chain((kind) =>
      fc.constantFrom(...MEASURABLE[kind]!).chain((type) =>
        comparison(["Sum", "DistinctCount"].includes(kind) ? "Number" : type, name).map((rest) => ({
          measure: { kind, property: property(type) },
          ...rest,
        })),
      ),
    ),
  );

const ofEvent = (name: "value" | "target", events: readonly string[]) =>
  fc
    .record({ event: fc.constantFrom(...events), where: optional(fc.option(filter)) })
    .chain((around) => measured(name).map((rest) => ({ ...around, ...rest })));

/** As `ofEvent`; a measure without a property reads the metric's value. */
const ofMetric = (name: "value" | "target", metrics: readonly string[]) =>
  fc
    .record({ metric: fc.constantFrom(...metrics), where: optional(fc.option(filter)) })
    .chain((around) => fc.oneof(measured(name), measuredValue(name)).map((rest) => ({ ...around, ...rest })));

const measuredValue = (name: "value" | "target") =>
  fc
    .record({ kind: fc.constantFrom(...Object.keys(MEASURABLE)), property: optional(fc.constant(null)) })
    .chain((measure) => comparison("Number", name).map((rest) => ({ measure, ...rest })));

const withRetired = (keys: readonly string[], retired: string, isRetiredToo: boolean) => (isRetiredToo ? [...keys, retired] : keys);

/** A reading of an event or a metric, and its target. */
const ofSource = (name: "value" | "target", isRetiredToo: boolean) =>
  fc.oneof(
    ofEvent(name, withRetired(EVENTS, "retired_event", isRetiredToo)),
    ofMetric(name, withRetired(METRICS, "retired_metric", isRetiredToo)),
  );

const ofAttribute = (name: "value" | "target", isRetiredToo: boolean) =>
  someType.chain((type) =>
    fc
      .constantFrom(type.toLowerCase(), ...(isRetiredToo && type === "String" ? ["retired_attribute"] : []))
      .chain((attribute) => comparison(type, name).map((rest) => ({ attribute, ...rest }))),
  );

interface Keys {
  missions: readonly string[];
  streaks: readonly string[];
  segments: readonly string[];
}

/** An inactive definition may name inactive ones. */
const rule = ({ missions, segments, streaks }: Keys, isRetiredToo: boolean) =>
  combined(
    fc.oneof(
      ofAttribute("value", isRetiredToo),
      fc
        .tuple(ofSource("value", isRetiredToo), optional(fc.integer({ min: 1, max: 3_650 })))
        .map(([read, lastDays]) => ({ ...read, lastDays })),
      comparison("Number", "value").map((rest) => ({ points: "Balance", ...rest })),
      fc.constantFrom(...missions).map((missionCompleted) => ({ missionCompleted })),
      fc.record({
        share: fc.integer({ min: 0, max: 10_000 }).map((parts) => parts / 100),
        salt: optional(fc.constantFrom(null, "", "spring")),
      }),
      ...(streaks.length === 0
        ? []
        : [fc.constantFrom(...streaks).chain((key) => comparison("Number", "value").map((rest) => ({ streak: key, ...rest })))]),
      ...(segments.length === 0 ? [] : [fc.constantFrom(...segments).map((segment) => ({ segment }))]),
    ),
  );

const segment = (key: string, keys: Keys, off: boolean) =>
  fc.record({
    key: fc.constant(key),
    name: localized,
    // All segments are active, or none: an active mission must not name an inactive one.
    active: fc.constant(!off),
    rule: rule(keys, off),
  });

const handedOver = fc.oneof(
  someType.chain((type) => VALUES[type].map((value) => ({ catalogItem: type.toLowerCase(), value }))),
  fc.array(fc.oneof(...Object.values(VALUES)), { maxLength: 3 }).map((value) => ({ catalogItem: "collection", value })),
);

const reward = fc.oneof(
  fc.integer({ min: 1 }).map((points) => ({ kind: "Points", points })),
  handedOver.map((one) => ({ kind: "CatalogItem", ...one })),
);

const NOT_BY_ENTERING = { event: "happened", operator: "GreaterThan", target: 0 };

const SOURCE = { id: 1, properties: new Map(TYPES.map((type) => [property(type), { type }])) };
const SOURCES: Sources = {
  events: new Map([...EVENTS, "retired_event"].map((key) => [key, SOURCE])),
  metrics: new Map([...METRICS, "retired_metric"].map((key) => [key, SOURCE])),
  attributes: new Map([
    ...TYPES.map((type) => [type.toLowerCase(), { id: 1, type }] as const),
    ["retired_attribute", { id: 1, type: "String" }],
  ]),
};

/** An objective that is not satisfied without an event, except by attributes or as a limit. */
function needingEvents(objective: object): object {
  const [shape] = SHAPES.missions.shape.objectives.parse([objective]);
  return isSatisfiedWithoutEvents(compileObjective(shape!, "0", SOURCES)) ? { all: [objective, NOT_BY_ENTERING] } : objective;
}

/** The first objective can be completed, and not by entering. */
const objectives = (isRetiredToo: boolean) =>
  fc
    .array(
      fc
        .tuple(combined(fc.oneof(ofSource("target", isRetiredToo), ofAttribute("target", isRetiredToo))), optional(localized))
        .map(([one, description]) => ({ description, ...needingEvents(one) })),
      { maxLength: 3 },
    )
    .map((some) => [NOT_BY_ENTERING, ...some]);

const mission = (key: string, keys: Keys, off: boolean) =>
  fc.record({
    key: fc.constant(key),
    ...shown,
    active: off ? fc.constant(false) : optional(fc.boolean()),
    optIn: optional(fc.constantFrom("Automatic", "Manual")),
    objectiveOrder: optional(fc.constantFrom("AnyOrder", "InOrder")),
    appearsIn: optional(fc.constantFrom("Feed", "CollectionOnly")),
    recurrence: optional(
      fc.constantFrom(
        { kind: "None" },
        { kind: "Calendar", every: "Day" },
        { kind: "AfterCompletion", cooldownHours: 1.5, maxOccurrences: 3 },
      ),
    ),
    audience: audience(keys, off),
    window: optional(fc.record({ endsAt: optional(instant) })),
    objectives: objectives(off),
    rewards: fc.array(reward, { minLength: 1, maxLength: 3 }),
  });

const streak = (key: string, off: boolean) =>
  ofSource("target", off).chain((read) =>
    fc.record({
      key: fc.constant(key),
      ...shown,
      active: off ? fc.constant(false) : optional(fc.boolean()),
      ...constants(read),
      cadence: fc.constantFrom("Day", "Week", "Month"),
      freezes: optional(fc.option(fc.record({ max: fc.integer({ min: 1, max: 9 }), earnEvery: fc.integer({ min: 1, max: 9 }) }))),
      milestones: optional(
        fc.uniqueArray(fc.record({ length: fc.integer({ min: 1, max: 99 }), rewards: fc.array(reward, { minLength: 1, maxLength: 2 }) }), {
          maxLength: 3,
          selector: ({ length }) => length,
        }),
      ),
    }),
  );

const valuation = fc.record({
  effectiveFrom: instant,
  points: fc.integer({ min: 1 }),
  amount: positive,
  currency: fc.constantFrom("EUR", "JPY"),
});

const audience = (keys: Keys, off: boolean) =>
  optional(fc.record({ rule: fc.option(rule(keys, off)), otherwise: optional(fc.constantFrom("Locked", "Hidden")) }));

const collection = <Members extends "missions" | "items">(name: Members, keys: readonly string[]) =>
  fc
    .record({
      key: fc.constantFrom("getting_started", "more"),
      ...shown,
      active: optional(fc.boolean()),
      members: fc.shuffledSubarray([...keys]),
    })
    .map(({ members, ...rest }) => ({ ...rest, [name]: members }) as typeof rest & Record<Members, string[]>);

const listing = (key: string, keys: Keys, off: boolean) =>
  fc.record({
    key: fc.constant(key),
    ...shown,
    active: off ? fc.constant(false) : optional(fc.boolean()),
    priceInPoints: fc.maxSafeNat(),
    contents: fc.array(handedOver, { minLength: 1, maxLength: 3 }),
    audience: audience(keys, off),
    appearsIn: optional(fc.constantFrom("Shop", "CollectionOnly")),
    onSale: optional(fc.record({ endsAt: optional(instant) })),
    stock: optional(fc.option(fc.nat())),
    limitPerPlayer: optional(fc.option(fc.integer({ min: 1 }))),
    recurrence: optional(fc.constantFrom({ kind: "None" }, { kind: "Calendar", every: "Month" })),
  });
