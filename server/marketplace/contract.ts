import { z } from "zod";
import { must, oneOf, reference, SCALAR_TYPES, value, wholeNumber } from "../kernel/shapes.ts";
import { definition, description, images } from "../kernel/text-shapes.ts";

export const catalogItemShape = z.strictObject({ ...definition, description, images, valueType: oneOf([...SCALAR_TYPES, "Collection"]) });

/** What is granted (definitions.md, reward). */
export const rewardShape = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({ kind: z.literal("Points"), points: wholeNumber(1, Number.MAX_SAFE_INTEGER) }),
    z.strictObject({ kind: z.literal("CatalogItem"), catalogItem: reference, value }),
  ],
  must('must be an object whose "kind" is "Points" or "CatalogItem"'),
);
