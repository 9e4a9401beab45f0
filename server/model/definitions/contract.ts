import { z } from "zod";
import { IMAGE_ID } from "../kernel/texts.ts";
import { currencyShape } from "../points/definition.ts";
import { defaulted, flag, must, optional } from "../rules/shapes.ts";
import { KINDS } from "./kinds.ts";

export { canBeSavedInBoth, hasKey, type KeyedKind, type Kind, KINDS, type Shaped, SHAPES } from "./kinds.ts";

/** The file's settings of the environment itself. */
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

/** The defaults. */
export const NO_DISCOVERY = { events: false, attributes: false };

const members = <Name extends string, Shape>(names: readonly Name[], shape: (name: Name) => Shape) =>
  Object.fromEntries(names.map((name) => [name, shape(name)])) as Record<Name, Shape>;

/** The file without its definitions, which are read one by one. */
export const fileShape = z.strictObject({
  /** The address of the file's JSON Schema, for editors; ignored. */
  $schema: optional(z.string(must("shape.string"))),
  version: z.literal(1, must("shape.version")),
  ...settingsShape.shape,
  ...members(KINDS, () => optional(z.array(z.unknown(), must("shape.list")))),
  /** The bytes of uploaded images, as Base64, for projects that do not have them. */
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

/** New definitions created together with one that names them, each as JSON text: all or none. */
export const alongShape = z
  .array(z.object({ kind: z.enum(KINDS), document: z.string().max(100_000) }))
  .max(10)
  .default([]);

/**
 * The origin of a change of a definition. "earlier": it was made before versions were kept. "start_over" replaced a definition that no
 * player had met.
 */
export const WAYS = [
  "save",
  "switch",
  "delete",
  "start_over",
  "scheduled",
  "restore",
  "import",
  "import_translations",
  "repair_language",
  "promote",
  "discovery",
  "earlier",
] as const;
export type Way = (typeof WAYS)[number];
