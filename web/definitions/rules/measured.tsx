import type { FilterDraft } from "#server/model/rules/filter.ts";
import { isMeasurable, type MeasureDraft, measureInMenu, MEASURES, type MeasureKind, needsProperty } from "#server/model/rules/measure.ts";
import { isOfMetric, type MeasuredDraft, typeRead } from "#server/model/rules/measured.ts";
import { leaves } from "#server/model/rules/tree.ts";
import type { ReactNode } from "react";
import { Select } from "../../components/select.tsx";
import { type Catalogue, scopeOf, type Source, sourceOf, typeOfProperty } from "../catalogue.ts";
import type { Path } from "#server/model/rules/finding.ts";
import { DefinitionPicker, PropertyPicker } from "../fields/pickers.tsx";
import { useAuthoring } from "../form/authoring.tsx";
import { InlineField } from "../form/form-field.tsx";
import { type Compared, ComparisonControls, comparedAs } from "./comparison.tsx";
import { useFilterGrammar } from "./filter-grammar.tsx";
import { RuleBuilder } from "./rule-builder.tsx";

/** The rule over another event or metric. Its filter and measure keep only properties that the new one has with the same type. */
function ofSource<One extends MeasuredDraft>(measured: One, changes: Pick<MeasuredDraft, "event" | "metric">, catalogue: Catalogue): One {
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

const propertiesIn = (filter: FilterDraft): string[] =>
  leaves(filter).flatMap((leaf) => ("when" in leaf || leaf.property === null ? [] : [leaf.property]));

interface MeasuredRuleProps<Rule> {
  at: Path;
  rule: Rule;
  onChange(rule: Rule): void;
  /** Between the comparison and the filter. */
  children?: ReactNode;
}

/** A measured event or metric, and what it is compared with. */
export function MeasuredRule<Rule extends MeasuredDraft & Compared>({ at, rule, onChange, children }: MeasuredRuleProps<Rule>) {
  const { catalogue } = useAuthoring();
  const typeOf = (measured: MeasuredDraft) => typeRead(measured, scopeOf(catalogue));
  const type = typeOf(rule);
  const measure = (measured: MeasuredDraft) => onChange(comparedAs({ ...rule, ...measured }, typeOf(measured), type));
  return (
    <>
      <SourceControl at={at} value={rule} onChange={measure} />
      <MeasureControls at={at} value={rule} onChange={measure} />
      <ComparisonControls at={at} type={type} isQuantity={type === "Number"} rule={rule} onChange={onChange} />
      {children}
      <WhereControls at={at} value={rule} onChange={measure} />
    </>
  );
}

interface MeasuredProps {
  at: Path;
  value: MeasuredDraft;
  onChange(measured: MeasuredDraft): void;
  /** Allowed here; all by default. */
  measures?: readonly MeasureKind[];
}

export function SourceControl({ at, value, onChange }: MeasuredProps) {
  const { catalogue } = useAuthoring();
  const member = isOfMetric(value) || (value.event === undefined && value.metric !== undefined) ? "metric" : "event";
  return (
    <InlineField at={[...at, member]} className="min-w-36 flex-[2] max-sm:w-full max-sm:flex-none">
      <DefinitionPicker
        kind={member === "metric" ? "metrics" : "events"}
        value={value[member] ?? null}
        onValueChange={(key) => onChange(ofSource(value, { [member]: key }, catalogue))}
      />
    </InlineField>
  );
}

export function MeasureControls({ at, value, onChange, measures = MEASURES }: MeasuredProps) {
  const { catalogue } = useAuthoring();
  const source = sourceOf(catalogue, value);
  const { kind, property = null } = value.measure;
  const ofMetric = isOfMetric(value);
  const become = (measure: MeasureDraft) => onChange({ ...value, measure });
  return (
    <>
      <InlineField at={[...at, "measure", "kind"]} className="w-40 shrink-0 max-sm:w-full">
        <Select
          aria-label="What is measured"
          value={kind}
          onValueChange={(next) => become(measureOf(next, property, source))}
          options={measures.map((one) => ({ value: one, ...measureInMenu(one) }))}
        />
      </InlineField>
      {needsProperty(kind) && (
        <InlineField at={[...at, "measure", "property"]} className="min-w-30 flex-1 max-sm:w-full max-sm:flex-none">
          <PropertyPicker
            properties={source?.properties ?? []}
            value={property}
            onValueChange={(next) => become({ kind, property: next })}
            accept={(type) => isMeasurable(kind, type)}
            ownValue={ofMetric ? "its value" : undefined}
          />
        </InlineField>
      )}
    </>
  );
}

/** Keeps the property if the measure applies to it. */
function measureOf(kind: MeasureKind, property: string | null, source: Source | undefined): MeasureDraft {
  if (!needsProperty(kind)) return { kind };
  const type = typeOfProperty(source, property);
  return { kind, property: type !== undefined && isMeasurable(kind, type) ? property : null };
}

/** Filter on the events or metrics that count. */
export function WhereControls({ at, value, onChange }: MeasuredProps) {
  const { catalogue, isReadOnly } = useAuthoring();
  const source = sourceOf(catalogue, value);
  const grammar = useFilterGrammar(source, catalogue);
  if (source === undefined || (value.where === null && isReadOnly)) return null;
  return (
    <div className="flex w-full min-w-0 flex-col gap-2">
      {value.where !== null && <span className="text-[0.8125rem] text-quiet">where</span>}
      <RuleBuilder
        grammar={grammar}
        at={[...at, "where"]}
        value={value.where}
        onValueChange={(where) => onChange({ ...value, where })}
        addLabel="Add filter"
      />
    </div>
  );
}
