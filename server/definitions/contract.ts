import { z } from "zod";
import { Decimal, type Numeric, numberFits } from "../kernel/decimal.ts";
import type { Text } from "../kernel/texts.ts";
import { formatInstant, parseInstant } from "../kernel/time.ts";
import { isNumeric, OPERATORS, type Operator, type Scalar } from "../kernel/values.ts";

/**
 * The shapes of the definitions file (definitions.md): one for each kind, with the defaults written out. What they give
 * back has its members in the order in which they are declared here, which is the order of an export. Messages say what
 * a member must be; whether it is missing is put before them where they are shown.
 */

/** How many entries a list inside a definition may have: places in lists are stored as two bytes. */
export const LONGEST_LIST = 1_000;
const LONGEST_NAME = 200;
const LONGEST_TEXT = 10_000;
const LONGEST_URL = 2_048;

const codePoints = (text: string): number => [...text].length;

/** Unknown members and kinds have words of their own, which know what comes close. */
const must = (message: string) => ({
  error: ({ code }: { code: string }) => (code === "unrecognized_keys" || code === "invalid_union" ? undefined : message),
});

/** A null counts as absent (definitions.md, Defaults). */
const optional = <Output>(shape: z.ZodType<Output>) => shape.nullish().transform((value) => value ?? null);

const defaulted = <Output>(shape: z.ZodType<Output>, value: Output) => shape.nullish().transform((given) => given ?? value);

const list = <Output>(shape: z.ZodType<Output>) =>
  z.array(shape, must("must be a list")).max(LONGEST_LIST, must(`must have at most ${LONGEST_LIST} entries`));

const filledList = <Output>(shape: z.ZodType<Output>) => list(shape).min(1, must("must have at least one entry"));

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) => z.enum(values);

export const KEY = /^[a-z][a-z0-9_]{0,99}$/;

const key = z
  .string(must("must be a string"))
  .regex(KEY, must('must be a lowercase letter followed by at most 99 lowercase letters, digits and "_"'));

/** The key of another definition; whether there is one is asked of the whole set. */
const reference = z.string(must("must be the key of a definition"));

const flag = z.boolean(must("must be true or false"));

/** Normalised to UTC with milliseconds. */
const instant = z
  .custom<string>((value) => typeof value === "string" && parseInstant(value) !== null, {
    error: () => "must be an RFC 3339 timestamp with an offset or Z, such as 2026-01-31T09:00:00Z",
  })
  .transform((text) => formatInstant(parseInstant(text) ?? 0));

const wholeNumber = (least: number, most: number) =>
  z.custom<number>((value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most, {
    error: () => `must be a whole number from ${least} to ${most}`,
  });

function sorted<Value>(record: Record<string, Value | null | undefined>): Record<string, Value> {
  const filled = Object.entries(record).filter((entry): entry is [string, Value] => entry[1] !== null && entry[1] !== undefined);
  return Object.fromEntries(filled.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A text in short form is in the project's default language; until that is known it stands under this name. */
export const PROJECT_LANGUAGE = "";

const words = (most: number) =>
  z
    .string(must("must be a text"))
    .refine((text) => text.trim() !== "", must("must not be empty"))
    .refine((text) => codePoints(text) <= most, must(`must have at most ${most} characters`));

const language = z
  .string(must("must be a language"))
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, must('must be a language tag such as "en" or "nl-BE"'));

const text = (most: number): z.ZodType<Text> =>
  z.union([
    words(most).transform((short) => ({ default: PROJECT_LANGUAGE, texts: { [PROJECT_LANGUAGE]: short } })),
    z
      .strictObject(
        {
          default: language,
          texts: z.record(language, words(most).nullish(), must('must be an object such as { "en": "…" }')).transform(sorted),
        },
        must('must be a text, or { "default": "en", "texts": { "en": "…" } }'),
      )
      .superRefine(checkLanguages),
  ]);

function checkLanguages(text: Text, context: z.core.$RefinementCtx): void {
  const tags = Object.keys(text.texts).map((tag) => tag.toLowerCase());
  const twice = Object.keys(text.texts).find((tag, at) => tags.indexOf(tag.toLowerCase()) !== at);
  if (twice !== undefined)
    context.addIssue({ code: "custom", path: ["texts", twice], message: "stands there twice; leave one of the two out" });
  if (!tags.includes(text.default.toLowerCase())) {
    context.addIssue({ code: "custom", path: ["texts"], message: `must have a text in "${text.default}", which "default" names` });
  }
}

const slot = words(100);

const imageUrl = z.custom<string>(
  (value) => typeof value === "string" && value.length <= LONGEST_URL && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value),
  { error: () => `must be an absolute URL with http or https and at most ${LONGEST_URL} characters` },
);

const images = defaulted(z.record(slot, imageUrl.nullish(), must("must be an object of URLs by slot")).transform(sorted), {});

const name = text(LONGEST_NAME);
const description = optional(text(LONGEST_TEXT));
const active = defaulted(flag, true);

const SCALAR_TYPES = ["String", "Number", "Boolean", "DateTime"] as const;

/** What is wrong with a single value, whatever it is compared with; null for nothing. */
function scalarProblem(value: unknown): string | null {
  if (isNumeric(value)) return numberFits(value) ? null : "must have at most 20 digits before the decimal point and 8 after it";
  if (typeof value === "string") return codePoints(value) <= LONGEST_TEXT ? null : `must have at most ${LONGEST_TEXT} characters`;
  return typeof value === "boolean" ? null : "must be a string, a number, true or false";
}

/** A value, or a list of them; which of the two is wanted and of what type is known where it is used. */
const value = z.unknown().superRefine((given, context) => {
  if (Array.isArray(given)) {
    if (given.length > LONGEST_LIST) context.addIssue({ code: "custom", message: `must have at most ${LONGEST_LIST} entries` });
    for (const [at, one] of given.entries()) addProblem(context, scalarProblem(one), [at]);
  } else {
    addProblem(context, scalarProblem(given), []);
  }
}) as unknown as z.ZodType<Scalar | Scalar[]>;

function addProblem(context: z.core.$RefinementCtx, message: string | null, path: number[]): void {
  if (message !== null) context.addIssue({ code: "custom", path, message });
}

const operator = oneOf(OPERATORS);

const MEASURES = ["Count", "Sum", "Max", "Min", "Latest", "DistinctCount", "DistinctDays"] as const;
const measureShape = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({ kind: z.literal("Count") }),
    z.strictObject({ kind: z.literal("DistinctDays") }),
    z.strictObject({ kind: z.enum(["Sum", "Max", "Min", "Latest", "DistinctCount"]), property: reference }),
  ],
  must(`must be an object whose "kind" is one of ${MEASURES.map((kind) => `"${kind}"`).join(", ")}`),
);

/** The measure of a metric: without a property it is of the metric's value. */
const metricMeasure = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({ kind: z.literal("Count") }),
    z.strictObject({ kind: z.literal("DistinctDays") }),
    z.strictObject({ kind: z.enum(["Sum", "Max", "Min", "Latest", "DistinctCount"]), property: optional(reference) }),
  ],
  must(`must be an object whose "kind" is one of ${MEASURES.map((kind) => `"${kind}"`).join(", ")}`),
);

export type FilterShape =
  | { all: FilterShape[] }
  | { any: FilterShape[] }
  | { not: FilterShape }
  | { property: string; operator: Operator; value: Scalar | Scalar[] };

const filterShape: z.ZodType<FilterShape> = z.lazy(() =>
  z.union([
    z.strictObject({ property: reference, operator, value }),
    z.strictObject({ all: filledList(filterShape) }),
    z.strictObject({ any: filledList(filterShape) }),
    z.strictObject({ not: filterShape }),
  ]),
);

const measured = { event: reference, where: optional(filterShape), measure: defaulted(measureShape, { kind: "Count" }) };

const metricMeasured = { metric: reference, where: optional(filterShape), measure: defaulted(metricMeasure, { kind: "Count" }) };

export type ConditionShape =
  | { all: ConditionShape[] }
  | { any: ConditionShape[] }
  | { not: ConditionShape }
  | { attribute: string; operator: Operator; value: Scalar | Scalar[] }
  | { segment: string }
  | HistoryConditionShape
  | MetricConditionShape
  | { streak: string; operator: Operator; value: Scalar | Scalar[] }
  | { points: "Balance"; operator: Operator; value: Scalar | Scalar[] }
  | { missionCompleted: string };

/** Over the stored history of an event, all of it or that of the last days. */
const historyCondition = z.strictObject(
  { ...measured, operator, value, lastDays: optional(wholeNumber(1, 3_650)) },
  must('must be a condition such as { "attribute": "tier", "operator": "EqualTo", "value": "gold" }'),
);
export type HistoryConditionShape = z.output<typeof historyCondition>;

const metricCondition = z.strictObject({ ...metricMeasured, operator, value, lastDays: optional(wholeNumber(1, 3_650)) });
export type MetricConditionShape = z.output<typeof metricCondition>;

/** Who takes part (definitions.md, Condition). */
export const conditionShape: z.ZodType<ConditionShape> = z.lazy(() =>
  z.union([
    historyCondition,
    z.strictObject({ attribute: reference, operator, value }),
    z.strictObject({ segment: reference }),
    z.strictObject({ points: z.literal("Balance", must('must be "Balance"')), operator, value }),
    z.strictObject({ missionCompleted: reference }),
    z.strictObject({ all: filledList(conditionShape) }),
    z.strictObject({ any: filledList(conditionShape) }),
    z.strictObject({ not: conditionShape }),
    metricCondition,
    z.strictObject({ streak: reference, operator, value }),
  ]),
);

/** A single condition of an objective, over one event's occurrences. */
const eventObjective = z.strictObject({ description, ...measured, operator, target: value });
const metricObjective = z.strictObject({ description, ...metricMeasured, operator, target: value });
const attributeObjective = z.strictObject({ description, attribute: reference, operator, target: value });

export type EventObjectiveShape = z.output<typeof eventObjective>;
export type MetricObjectiveShape = z.output<typeof metricObjective>;
export type AttributeObjectiveShape = z.output<typeof attributeObjective>;
type CompoundShape = { all: ObjectiveShape[] } | { any: ObjectiveShape[] } | { not: ObjectiveShape };
export type ObjectiveShape =
  EventObjectiveShape | MetricObjectiveShape | AttributeObjectiveShape | ({ description: Text | null } & CompoundShape);

const objectiveShape: z.ZodType<ObjectiveShape> = z.lazy(() =>
  z.union([
    eventObjective,
    attributeObjective,
    z.strictObject({ description, all: filledList(objectiveShape) }),
    z.strictObject({ description, any: filledList(objectiveShape) }),
    z.strictObject({ description, not: objectiveShape }),
    metricObjective,
  ]),
);

const rewardShape = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({ kind: z.literal("Points"), points: wholeNumber(1, Number.MAX_SAFE_INTEGER) }),
    z.strictObject({ kind: z.literal("CatalogItem"), catalogItem: reference, value }),
  ],
  must('must be an object whose "kind" is "Points" or "CatalogItem"'),
);

const cooldownHours = z.custom<Numeric>(
  (hours) => isNumeric(hours) && numberFits(hours) && Decimal.of(hours).compare(0) >= 0 && Decimal.of(hours).compare(1_000_000) <= 0,
  {
    error: () => "must be a number of hours from 0 to 1000000",
  },
);

const noRecurrence = z.strictObject({ kind: z.literal("None") });
const calendarRecurrence = z.strictObject({ kind: z.literal("Calendar"), every: oneOf(["Day", "Week", "Month"]) });

const recurrence = z.discriminatedUnion(
  "kind",
  [
    noRecurrence,
    calendarRecurrence,
    z.strictObject({
      kind: z.literal("AfterCompletion"),
      cooldownHours: optional(cooldownHours),
      maxOccurrences: optional(wholeNumber(1, 2_147_483_647)),
    }),
  ],
  must('must be an object whose "kind" is "None", "Calendar" or "AfterCompletion"'),
);

/** How the rounds of a listing follow each other. */
const rounds = z.discriminatedUnion(
  "kind",
  [noRecurrence, calendarRecurrence],
  must('must be an object whose "kind" is "None" or "Calendar"'),
);

const audience = z.strictObject(
  { rule: optional(conditionShape), otherwise: defaulted(oneOf(["Locked", "Hidden"]), "Locked") },
  must('must be an object such as { "rule": null, "otherwise": "Locked" }'),
);

const span = z
  .strictObject(
    { startsAt: optional(instant), endsAt: optional(instant) },
    must('must be an object such as { "startsAt": …, "endsAt": … }'),
  )
  .superRefine(({ startsAt, endsAt }, context) => {
    if (startsAt === null || endsAt === null || startsAt < endsAt) return;
    context.addIssue({ code: "custom", path: ["endsAt"], message: "must be later than startsAt" });
  });

const property = z.strictObject(
  { key, type: oneOf(SCALAR_TYPES), required: defaulted(flag, false) },
  must('must be an object such as { "key": "amount", "type": "Number" }'),
);

const definition = { key, name, active };

const eventShape = z.strictObject({ ...definition, properties: defaulted(list(property), []) });

const metricShape = z.strictObject({
  ...definition,
  kind: oneOf(["Number", "Currency"]),
  properties: defaulted(list(property), []),
});

const currency = z.string(must("must be a currency code")).regex(/^[A-Z]{3}$/, must('must be three capital letters, such as "EUR"'));

const positive = z.custom<Numeric>((given) => isNumeric(given) && numberFits(given) && Decimal.of(given).compare(0) > 0, {
  error: () => "must be a number above 0 with at most 20 digits before the decimal point and 8 after it",
});

/** What has no key of its own is known by another member, and cannot be switched off. */
const exchangeRateShape = z.strictObject({ currencyCode: currency, rate: positive });

const attributeShape = z.strictObject({ ...definition, type: oneOf(SCALAR_TYPES) });

const segmentShape = z.strictObject({ ...definition, rule: conditionShape });

const catalogItemShape = z.strictObject({ ...definition, description, images, valueType: oneOf([...SCALAR_TYPES, "Collection"]) });

export const missionShape = z.strictObject({
  ...definition,
  description,
  images,
  optIn: defaulted(oneOf(["Automatic", "Manual"]), "Automatic"),
  objectiveOrder: defaulted(oneOf(["AnyOrder", "InOrder"]), "AnyOrder"),
  appearsIn: defaulted(oneOf(["Feed", "CollectionOnly"]), "Feed"),
  recurrence: defaulted(recurrence, { kind: "None" }),
  audience: defaulted(audience, { rule: null, otherwise: "Locked" }),
  window: defaulted(span, { startsAt: null, endsAt: null }),
  objectives: filledList(objectiveShape),
  rewards: filledList(rewardShape),
});

const freezes = z.strictObject(
  { max: wholeNumber(1, 1_000), earnEvery: wholeNumber(1, 10_000) },
  must('must be an object such as { "max": 2, "earnEvery": 7 }'),
);

const milestone = z.strictObject(
  { length: wholeNumber(1, 1_000_000), rewards: filledList(rewardShape) },
  must('must be an object such as { "length": 7, "rewards": […] }'),
);

export const streakShape = z.strictObject({
  ...definition,
  description,
  images,
  event: optional(reference),
  metric: optional(reference),
  where: optional(filterShape),
  measure: defaulted(metricMeasure, { kind: "Count" }),
  operator: defaulted(operator, "GreaterThanOrEqualTo"),
  target: defaulted(value, 1),
  cadence: oneOf(["Day", "Week", "Month"]),
  freezes: optional(freezes),
  milestones: defaulted(list(milestone), []),
});

const SCORE_MEASURES = ["Count", "Sum", "Max", "Min", "Latest"] as const;
const scoreMeasure = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({ kind: z.literal("Count") }),
    z.strictObject({ kind: z.enum(["Sum", "Max", "Min", "Latest"]), property: optional(reference) }),
  ],
  must(`must be an object whose "kind" is one of ${SCORE_MEASURES.map((kind) => `"${kind}"`).join(", ")}`),
);

const scorePeriod = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({ kind: z.literal("AllTime") }),
    calendarRecurrence,
    z.strictObject({ kind: z.literal("Season"), startsAt: instant, endsAt: instant }),
  ],
  must('must be an object whose "kind" is "AllTime", "Calendar" or "Season"'),
);

const league = z.strictObject(
  {
    groupSize: wholeNumber(2, 1_000),
    tiers: filledList(
      z.strictObject({ key, name: text(LONGEST_NAME) }, must('must be an object such as { "key": "bronze", "name": "Bronze" }')),
    ).max(100, must("must have at most 100 entries")),
    promotes: wholeNumber(0, 1_000),
    relegates: wholeNumber(0, 1_000),
  },
  must('must be an object such as { "groupSize": 30, "tiers": […], "promotes": 5, "relegates": 5 }'),
);

const prize = z.strictObject(
  { fromRank: wholeNumber(1, 2_147_483_647), toRank: wholeNumber(1, 2_147_483_647), rewards: filledList(rewardShape) },
  must('must be an object such as { "fromRank": 1, "toRank": 3, "rewards": […] }'),
);

export const leaderboardShape = z.strictObject({
  ...definition,
  description,
  images,
  scoreSource: oneOf(["Event", "Metric", "Points", "Attribute"]),
  event: optional(reference),
  metric: optional(reference),
  attribute: optional(reference),
  where: optional(filterShape),
  /** Left out: a count, where events are scored. */
  measure: optional(scoreMeasure),
  rankOrder: oneOf(["HighestFirst", "LowestFirst"]),
  period: scorePeriod,
  settleAfterMinutes: defaulted(wholeNumber(0, 525_600), 10),
  topSize: defaulted(wholeNumber(1, 10_000), 100),
  audience: defaulted(audience, { rule: null, otherwise: "Locked" }),
  teamAttribute: optional(reference),
  league: optional(league),
  prizes: defaulted(list(prize), []),
});

const pointsValuationShape = z.strictObject({
  effectiveFrom: instant,
  points: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  amount: positive,
  currency,
});

const missionCollectionShape = z.strictObject({ ...definition, description, images, missions: list(reference) });

const content = z.strictObject(
  { catalogItem: reference, value },
  must('must be an object such as { "catalogItem": "free_coffee", "value": 1 }'),
);

export const marketplaceItemShape = z.strictObject({
  ...definition,
  description,
  images,
  priceInPoints: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  contents: filledList(content),
  audience: defaulted(audience, { rule: null, otherwise: "Locked" }),
  appearsIn: defaulted(oneOf(["Shop", "CollectionOnly"]), "Shop"),
  onSale: defaulted(span, { startsAt: null, endsAt: null }),
  stock: optional(wholeNumber(0, 2_147_483_647)),
  limitPerPlayer: optional(wholeNumber(1, 2_147_483_647)),
  recurrence: defaulted(rounds, { kind: "None" }),
});

const marketplaceCollectionShape = z.strictObject({ ...definition, description, images, items: list(reference) });

/** The lists of the file, in the order in which they are written. */
export const SHAPES = {
  events: eventShape,
  metrics: metricShape,
  exchangeRates: exchangeRateShape,
  attributes: attributeShape,
  segments: segmentShape,
  catalogItems: catalogItemShape,
  missions: missionShape,
  missionCollections: missionCollectionShape,
  streaks: streakShape,
  leaderboards: leaderboardShape,
  marketplaceItems: marketplaceItemShape,
  marketplaceCollections: marketplaceCollectionShape,
  pointsValuations: pointsValuationShape,
};

export type Kind = keyof typeof SHAPES;
export const KINDS = Object.keys(SHAPES) as Kind[];

/** A definition in the form of its shape. What has no key of its own gets the one it is known by, and is always active. */
export type Shaped<K extends Kind = Kind> = { [One in K]: Keyed<z.output<(typeof SHAPES)[One]>> }[K];
type Keyed<Shape> = Shape extends { key: string } ? Shape : Shape & { key: string; active: boolean };

/** The member by which a definition is known. */
export const IDENTITY = Object.fromEntries(KINDS.map((kind) => [kind, "key"])) as Record<Kind, "key" | "currencyCode" | "effectiveFrom">;
IDENTITY.exchangeRates = "currencyCode";
IDENTITY.pointsValuations = "effectiveFrom";

export const hasKey = (kind: Kind): boolean => IDENTITY[kind] === "key";

/** What a shape gives back, as a definition. */
export const shapedOf = <K extends Kind>(kind: K, output: z.output<(typeof SHAPES)[K]>, active = true): Shaped<K> =>
  (hasKey(kind) ? output : { ...output, key: (output as Record<string, unknown>)[IDENTITY[kind]], active }) as Shaped<K>;

/** What the file says of the environment itself. */
export const settingsShape = z.strictObject({
  discovery: optional(
    z.strictObject(
      { events: defaulted(flag, false), attributes: defaulted(flag, false) },
      must('must be an object such as { "events": false, "attributes": false }'),
    ),
  ),
  baseCurrency: optional(currency),
});
export type Settings = z.output<typeof settingsShape>;

/** What holds until somebody says otherwise. */
export const NO_DISCOVERY = { events: false, attributes: false };

const members = <Name extends string, Shape>(names: readonly Name[], shape: (name: Name) => Shape) =>
  Object.fromEntries(names.map((name) => [name, shape(name)])) as Record<Name, Shape>;

/** The file around its definitions, which are read one by one. */
export const fileShape = z.strictObject({
  version: z.literal(1, must("must be 1, the only version of the file there is")),
  ...settingsShape.shape,
  ...members(KINDS, () => optional(z.array(z.unknown(), must("must be a list")))),
});
