import type { z } from "zod";
import type { AnyDefinition, CheckedEntry } from "../rules/kind-module.ts";
import type { Readable } from "../rules/readable.ts";
import type { Entry } from "./file.ts";
import { moduleOf } from "./kinds.ts";
import { readShape } from "./zod-error-map.ts";
import { valueAt } from "./value-at.ts";

/** An entry as the checks of its kind see it. */
export const checkedEntry = ({ kind, at, raw, shaped, readable }: Entry): CheckedEntry<AnyDefinition> => ({
  path: [kind, at],
  definition: shaped,
  readable: readable as Readable<AnyDefinition>,
  member(name) {
    if (shaped !== null) return valueAt(shaped, [name]) as AnyDefinition[typeof name];
    const result = readShape(moduleOf(kind).shape.shape[name] as z.ZodType<AnyDefinition[typeof name]>, valueAt(raw, [name]));
    return "shaped" in result ? result.shaped : undefined;
  },
});
