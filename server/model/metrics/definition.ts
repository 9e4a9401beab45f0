import { z } from "zod";
import { type CompiledEvent, compileEvent } from "../events/definition.ts";
import { finding } from "../rules/finding.ts";
import { type DefinitionOf, defineKind, type StoredAs } from "../rules/kind-module.ts";
import { checkPropertyKeys, checkPropertyTypes, fixedPropertyTypes, propertiesShape, propertiesOption } from "../rules/property.ts";
import { given, type Readable } from "../rules/readable.ts";
import { oneOf } from "../rules/shapes.ts";
import { definition } from "../rules/text-shapes.ts";

const metricShape = z.strictObject({ ...definition, kind: oneOf(["Number", "Currency"]), properties: propertiesShape });
type Metric = DefinitionOf<typeof metricShape>;

const isMoney = (metric: Readable<Metric>): boolean => given(given(metric)?.kind) === "Currency";

export const metricKind = defineKind(metricShape, {
  identity: "key",
  isMetByPlayers: true,
  fixed: ["kind"],
  check: (entry, { baseCurrency }) => [
    ...checkPropertyKeys("metrics", entry),
    ...(baseCurrency === null && isMoney(entry.readable)
      ? [finding([...entry.path, "kind"], "money.base_missing", { for: "metric" })]
      : []),
  ],
  checkChange: checkPropertyTypes,
  fixedFields: fixedPropertyTypes,
  needsBaseCurrency: isMoney,
  summary: ({ kind, properties }) => ({ metricKind: kind, properties: properties.length }),
  options: {
    shape: { kind: z.enum(["Number", "Currency"]), ...propertiesOption },
    of: ({ kind, properties }) => ({ kind, properties }),
  },
});

export interface CompiledMetric extends CompiledEvent {
  kind: "Number" | "Currency";
}

export const compileMetric = (metric: StoredAs<Metric>): CompiledMetric => ({ ...compileEvent(metric), kind: metric.shaped.kind });
