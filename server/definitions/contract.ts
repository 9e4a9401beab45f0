import { z } from "zod";
import { attributeShape } from "../attributes/contract.ts";
import { eventShape } from "../events/contract.ts";
import { IMAGE_ID } from "../kernel/images.ts";
import { leaderboardShape } from "../leaderboards/contract.ts";
import { catalogItemShape, marketplaceCollectionShape, marketplaceItemShape } from "../marketplace/contract.ts";
import { currencyShape, exchangeRateShape, metricShape } from "../metrics/contract.ts";
import { missionCollectionShape, missionShape } from "../missions/contract.ts";
import { pointsValuationShape } from "../points/contract.ts";
import type { DefinitionKind } from "../rules/finding.ts";
import { defaulted, flag, must, optional } from "../rules/shapes.ts";
import { segmentShape } from "../segments/contract.ts";
import { streakShape } from "../streaks/contract.ts";

export { type FilterShape } from "../rules/filter.ts";
export { type ConditionShape, type HistoryConditionShape, type MetricConditionShape } from "../rules/condition.ts";

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
} satisfies Record<DefinitionKind, z.ZodType>;

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

/** Kinds that are created and edited in one environment at a time (api.md 1); a promotion takes them to the other one. */
const ONE_AT_A_TIME: ReadonlySet<Kind> = new Set(["catalogItems", "missionCollections", "marketplaceCollections"]);

/** Whether one save may write a definition of this kind into both environments of its project. */
export const canBeSavedInBoth = (kind: Kind): boolean => !ONE_AT_A_TIME.has(kind);

/** What a shape gives back, as a definition. */
export const shapedOf = <K extends Kind>(kind: K, output: z.output<(typeof SHAPES)[K]>, active = true): Shaped<K> =>
  (hasKey(kind) ? output : { ...output, key: (output as Record<string, unknown>)[IDENTITY[kind]], active }) as Shaped<K>;

/** What the file says of the environment itself. */
export const settingsShape = z.strictObject({
  discovery: optional(
    z.strictObject(
      { events: defaulted(flag, false), attributes: defaulted(flag, false) },
      must("shape.object", { example: '{ "events": false, "attributes": false }' }),
    ),
  ),
  baseCurrency: optional(currencyShape),
});
export type Settings = z.output<typeof settingsShape>;

/** What holds until somebody says otherwise. */
export const NO_DISCOVERY = { events: false, attributes: false };

const members = <Name extends string, Shape>(names: readonly Name[], shape: (name: Name) => Shape) =>
  Object.fromEntries(names.map((name) => [name, shape(name)])) as Record<Name, Shape>;

/** The file around its definitions, which are read one by one. */
export const fileShape = z.strictObject({
  version: z.literal(1, must("shape.version")),
  ...settingsShape.shape,
  ...members(KINDS, () => optional(z.array(z.unknown(), must("shape.list")))),
  /** The bytes of uploaded images, as Base64: what another project does not have. */
  images: optional(
    z.array(
      z.strictObject(
        {
          id: z.string(must("shape.image_id")).regex(IMAGE_ID, must("shape.image_hash")),
          bytes: z.base64(must("shape.image_bytes")),
        },
        must("shape.object", { example: '{ "id": "…", "bytes": "…" }' }),
      ),
      must("shape.list"),
    ),
  ),
});
