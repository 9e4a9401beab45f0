"use client";

import { Select } from "../../_components/select.tsx";
import type { ScalarType } from "../../../server/kernel/values.ts";
import { type Catalogue, type Source, sourceOf, typeOfProperty } from "../catalogue.ts";
import type { Path } from "../document/pointers.ts";
import { DefinitionPicker, PropertyPicker } from "../fields/pickers.tsx";
import { useAuthoring } from "../form/authoring.tsx";
import { Spot } from "../form/place.tsx";
import { useFilterGrammar } from "./filter-grammar.tsx";
import { RuleBuilder } from "./rule-builder.tsx";
import {
  combined,
  type Filter,
  isGroup,
  isMeasurable,
  type Measure,
  type Measured,
  MEASURES,
  type MeasureKind,
  needsProperty,
  readingType,
} from "./shapes.ts";

const MEASURE_WORDS: Record<MeasureKind, { label: string; hint: string }> = {
  Count: { label: "number of times", hint: "How often it happened" },
  Sum: { label: "total of", hint: "A number, added up" },
  Max: { label: "highest", hint: "The greatest or latest there was" },
  Min: { label: "lowest", hint: "The smallest or earliest there was" },
  Latest: { label: "latest", hint: "What it was the last time" },
  DistinctCount: { label: "different values of", hint: "Three different drinks" },
  DistinctDays: { label: "different days", hint: "On how many days it happened" },
};

const isOfMetric = ({ metric }: Measured): boolean => metric !== undefined && metric !== null;

/** The type of what is read; undefined where it is not chosen yet. */
export function typeRead(measured: Measured, catalogue: Catalogue): ScalarType | undefined {
  const { kind, property } = measured.measure;
  const isOwnValue = isOfMetric(measured) && (property ?? null) === null;
  return readingType(kind, isOwnValue ? "Number" : typeOfProperty(sourceOf(catalogue, measured), property));
}

/** What becomes of the filter and the measure where another event or metric is chosen: what names none of its properties stays. */
export function ofSource<One extends Measured>(measured: One, changes: Pick<Measured, "event" | "metric">, catalogue: Catalogue): One {
  const next = { ...measured, ...changes };
  const source = sourceOf(catalogue, next);
  const before = sourceOf(catalogue, measured);
  const isSame = (property: string) =>
    typeOfProperty(source, property) !== undefined && typeOfProperty(source, property) === typeOfProperty(before, property);
  const { property } = measured.measure;
  const where = measured.where !== null && propertiesIn(measured.where).every(isSame) ? measured.where : null;
  const measure = typeof property === "string" && !isSame(property) ? { ...measured.measure, property: null } : measured.measure;
  return { ...next, where, measure };
}

function propertiesIn(filter: Filter): string[] {
  if (isGroup(filter)) return combined<Filter>(filter).rules.flatMap(propertiesIn);
  return filter.property === null ? [] : [filter.property];
}

interface MeasuredProps {
  at: Path;
  value: Measured;
  onChange(measured: Measured): void;
  /** Those that can be taken here; all when left out. */
  measures?: readonly MeasureKind[];
}

/** The event or metric. */
export function SourceControl({ at, value, onChange }: MeasuredProps) {
  const { catalogue } = useAuthoring();
  const member = isOfMetric(value) || (value.event === undefined && value.metric !== undefined) ? "metric" : "event";
  return (
    <Spot at={[...at, member]} className="min-w-40 flex-1">
      <DefinitionPicker
        kind={member === "metric" ? "metrics" : "events"}
        value={value[member] ?? null}
        onValueChange={(key) => onChange(ofSource(value, { [member]: key }, catalogue))}
      />
    </Spot>
  );
}

/** What is measured of it. */
export function MeasureControls({ at, value, onChange, measures = MEASURES }: MeasuredProps) {
  const { catalogue } = useAuthoring();
  const source = sourceOf(catalogue, value);
  const { kind, property = null } = value.measure;
  const ofMetric = isOfMetric(value);
  const become = (measure: Measure) => onChange({ ...value, measure });
  return (
    <>
      <Spot at={[...at, "measure", "kind"]} className="w-44 shrink-0 max-sm:w-full">
        <Select
          aria-label="What is measured"
          value={kind}
          onValueChange={(next) => become(measureOf(next, property, source))}
          options={measures.map((one) => ({ value: one, ...MEASURE_WORDS[one] }))}
        />
      </Spot>
      {needsProperty(kind) && (
        <Spot at={[...at, "measure", "property"]} className="min-w-32 flex-1">
          <PropertyPicker
            properties={source?.properties ?? []}
            value={property}
            onValueChange={(next) => become({ kind, property: next })}
            accept={(type) => isMeasurable(kind, type)}
            ownValue={ofMetric ? "its value" : undefined}
          />
        </Spot>
      )}
    </>
  );
}

/** Keeps the property where it can be measured that way. */
function measureOf(kind: MeasureKind, property: string | null, source: Source | undefined): Measure {
  if (!needsProperty(kind)) return { kind };
  const type = typeOfProperty(source, property);
  return { kind, property: type !== undefined && isMeasurable(kind, type) ? property : null };
}

/** Which of the events or metrics count. */
export function WhereControls({ at, value, onChange }: MeasuredProps) {
  const { catalogue, isReadOnly } = useAuthoring();
  const source = sourceOf(catalogue, value);
  const grammar = useFilterGrammar(source, catalogue);
  if (source === undefined || (value.where === null && (isReadOnly || source.properties.length === 0))) return null;
  return (
    <div className="flex w-full min-w-0 flex-col gap-2">
      {value.where !== null && <span className="text-[0.8125rem] text-quiet">where</span>}
      <RuleBuilder
        grammar={grammar}
        at={[...at, "where"]}
        value={value.where}
        onValueChange={(where) => onChange({ ...value, where })}
        addLabel="Only where…"
      />
    </div>
  );
}
