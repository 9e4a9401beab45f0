import { z } from "zod";
import { attributeShape } from "../attributes/contract.ts";
import { eventShape } from "../events/contract.ts";
import { defaulted, flag, must, optional } from "../kernel/shapes.ts";
import { catalogItemShape } from "../marketplace/contract.ts";
import { missionCollectionShape, missionShape } from "../missions/contract.ts";
import { segmentShape } from "../segments/contract.ts";

export type { FilterShape } from "../events/contract.ts";
export type { AttributeObjectiveShape, EventObjectiveShape, ObjectiveShape } from "../missions/contract.ts";
export type { ConditionShape, HistoryConditionShape } from "../segments/contract.ts";

/** The lists of the file, in the order in which they are written. A kind that is built joins here and leaves `LATER_LISTS`. */
export const SHAPES = {
  events: eventShape,
  attributes: attributeShape,
  segments: segmentShape,
  catalogItems: catalogItemShape,
  missions: missionShape,
  missionCollections: missionCollectionShape,
};

export type Kind = keyof typeof SHAPES;
export const KINDS = Object.keys(SHAPES) as Kind[];
export type Shaped<K extends Kind = Kind> = z.output<(typeof SHAPES)[K]>;

/** What the file says of the environment itself. */
export const settingsShape = z.strictObject({
  discovery: optional(
    z.strictObject(
      { events: defaulted(flag, false), attributes: defaulted(flag, false) },
      must('must be an object such as { "events": false, "attributes": false }'),
    ),
  ),
  baseCurrency: optional(
    z.string(must("must be a currency code")).regex(/^[A-Z]{3}$/, must('must be three capital letters, such as "EUR"')),
  ),
});
export type Settings = z.output<typeof settingsShape>;

/** What holds until somebody says otherwise. */
export const NO_DISCOVERY = { events: false, attributes: false };

const LATER_LISTS = [
  "metrics",
  "exchangeRates",
  "streaks",
  "leaderboards",
  "marketplaceItems",
  "marketplaceCollections",
  "pointsValuations",
] as const;

const members = <Name extends string, Shape>(names: readonly Name[], shape: (name: Name) => Shape) =>
  Object.fromEntries(names.map((name) => [name, shape(name)])) as Record<Name, Shape>;

/** The file around its definitions, which are read one by one. */
export const fileShape = z.strictObject({
  version: z.literal(1, must("must be 1, the only version of the file there is")),
  ...settingsShape.shape,
  ...members(KINDS, () => optional(z.array(z.unknown(), must("must be a list")))),
  ...members(LATER_LISTS, (name) =>
    z
      .array(z.unknown())
      .max(0, must(`${name} are not supported by this version yet; leave the list out`))
      .nullish(),
  ),
});
