import { cx } from "../../components/classes.ts";
import { Select } from "../../components/select.tsx";
import type { Scalar, ScalarType } from "#server/model/kernel/values.ts";
import { type Operator, operatorsOf, takesList, operatorInMenu } from "#server/model/rules/operator.ts";
import type { Choice, Value } from "#server/model/rules/value.ts";
import { find } from "../catalogue.ts";
import { DefinitionPicker } from "../fields/pickers.tsx";
import { useAuthoring } from "../form/authoring.tsx";
import { ScalarInput } from "../fields/inputs.tsx";
import { ListInput } from "../fields/list-input.tsx";
import type { Path } from "#server/model/rules/finding.ts";
import { InlineField } from "../form/form-field.tsx";

/** A rule that compares something with a value: an objective's and a streak's is its target. */
export type Compared = { operator: Operator } & ({ value: Value } | { target: Value });

const memberOf = (rule: Compared) => ("target" in rule ? "target" : "value");
const valueIn = (rule: Compared): Value => ("target" in rule ? rule.target : rule.value);
const withComparison = <Rule extends Compared>(rule: Rule, operator: Operator, value: Value): Rule => ({
  ...rule,
  operator,
  [memberOf(rule)]: value,
});

interface ComparisonProps<Rule extends Compared> {
  at: Path;
  /** The operand's type; undefined until one is chosen. */
  type: ScalarType | undefined;
  rule: Rule;
  onChange(rule: Rule): void;
  isQuantity?: boolean;
  /** Values to suggest. */
  suggestions?: readonly string[];
}

export function ComparisonControls<Rule extends Compared>({
  at,
  type,
  rule,
  onChange,
  isQuantity = false,
  suggestions,
}: ComparisonProps<Rule>) {
  const { operator } = rule;
  const value = valueIn(rule);
  const isWide = takesList(operator) || type === "DateTime";
  const offered = operatorsOf(type);
  const operators = offered.includes(operator) ? offered : [operator, ...offered];
  return (
    // Keeps operator and value together when the row wraps.
    <div className={cx("flex min-w-0 items-start gap-2 max-sm:w-full", isWide ? "flex-[2] basis-72" : "flex-1 basis-56")}>
      <InlineField at={[...at, "operator"]} className="w-30 shrink-0 max-sm:w-[calc(50%-0.25rem)]">
        <Select
          aria-label="How it is compared"
          value={operator}
          onValueChange={(next) => onChange(withComparison(rule, next, valueFor(next, value)))}
          options={operators.map((one) => ({ value: one, label: operatorInMenu(one, type, isQuantity) }))}
        />
      </InlineField>
      <InlineField
        at={[...at, memberOf(rule)]}
        className={cx("min-w-24 flex-1", type === "Number" && !isWide && "sm:max-w-36 sm:has-[p]:max-w-none")}
      >
        <ComparedValue
          aria-label="Value"
          type={type}
          operator={operator}
          value={value}
          suggestions={suggestions}
          onValueChange={(next) => onChange(withComparison(rule, operator, next))}
        />
      </InlineField>
    </div>
  );
}

/** The rule after its operand's type has changed. */
export function comparedAs<Rule extends Compared>(rule: Rule, type: ScalarType | undefined, before: ScalarType | undefined): Rule {
  const offered = operatorsOf(type);
  const operator = offered.includes(rule.operator) ? rule.operator : offered[0]!;
  const value = type === before ? valueIn(rule) : type === "Boolean" ? true : null;
  return withComparison(rule, operator, valueFor(operator, value));
}

interface AttributeProps<Rule> {
  at: Path;
  rule: Rule;
  onChange(rule: Rule): void;
}

export function AttributeControls<Rule extends Compared & { attribute: Choice }>({ at, rule, onChange }: AttributeProps<Rule>) {
  const { catalogue } = useAuthoring();
  const typeOf = (key: unknown) => find(catalogue.attributes, key)?.type;
  const type = typeOf(rule.attribute);
  return (
    <>
      <InlineField at={[...at, "attribute"]} className="min-w-40 flex-1">
        <DefinitionPicker
          kind="attributes"
          value={rule.attribute}
          onValueChange={(attribute) => onChange(comparedAs({ ...rule, attribute }, typeOf(attribute), type))}
        />
      </InlineField>
      <ComparisonControls at={at} type={type} rule={rule} onChange={onChange} />
    </>
  );
}

interface ValueProps {
  type: ScalarType | undefined;
  operator: Operator;
  value: Value;
  onValueChange(value: Value): void;
  suggestions?: readonly string[];
  "aria-label": string;
}

/** The value of a comparison: one, or a list for In and NotIn. */
function ComparedValue({ type, operator, value, onValueChange, ...rest }: ValueProps) {
  if (takesList(operator)) return <ListInput {...rest} type={type} values={listOf(value)} onValuesChange={onValueChange} />;
  return (
    <ScalarInput {...rest} type={type} value={Array.isArray(value) ? (value[0] ?? null) : (value ?? null)} onValueChange={onValueChange} />
  );
}

const listOf = (value: Value): Scalar[] => (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]);

/** The value after the operator changes between one that takes a single value and one that takes several. */
const valueFor = (operator: Operator, value: Value): Value =>
  takesList(operator) ? listOf(value) : Array.isArray(value) ? (value[0] ?? null) : value;
