"use client";

import { cx } from "../../components/classes.ts";
import { Select } from "../../components/select.tsx";
import type { ScalarType } from "#server/model/kernel/values.ts";
import { type Operator, operatorsOf, takesList, operatorInMenu } from "#server/model/rules/operator.ts";
import type { Value } from "#server/model/rules/value.ts";
import { ValueInput, valueFor } from "../fields/value-input.tsx";
import type { Path } from "../document/pointers.ts";
import { Spot } from "../form/place.tsx";

interface ComparisonProps {
  at: Path;
  /** The path of the value: an objective's is its target. */
  member: "value" | "target";
  /** The operand's type; undefined until one is chosen. */
  type: ScalarType | undefined;
  operator: Operator;
  value: Value;
  onChange(compared: { operator: Operator; value: Value }): void;
  isQuantity?: boolean;
}

/** Operator and value. */
export function ComparisonControls({ at, member, type, operator, value, onChange, isQuantity = false }: ComparisonProps) {
  const isWide = takesList(operator) || type === "DateTime";
  const offered = operatorsOf(type);
  const operators = offered.includes(operator) ? offered : [operator, ...offered];
  return (
    // Keeps operator and value together when the row wraps.
    <div className={cx("flex min-w-0 items-start gap-2 max-sm:w-full", isWide ? "flex-[2] basis-72" : "flex-1 basis-56")}>
      <Spot at={[...at, "operator"]} className="w-30 shrink-0 max-sm:w-[calc(50%-0.25rem)]">
        <Select
          aria-label="How it is compared"
          value={operator}
          onValueChange={(next) => onChange({ operator: next, value: valueFor(next, value) })}
          options={operators.map((one) => ({ value: one, label: operatorInMenu(one, type, isQuantity) }))}
        />
      </Spot>
      <Spot at={[...at, member]} className={cx("min-w-24 flex-1", type === "Number" && !isWide && "sm:max-w-36 sm:has-[p]:max-w-none")}>
        <ValueInput
          aria-label="Value"
          type={type}
          operator={operator}
          value={value}
          onValueChange={(next) => onChange({ operator, value: next })}
        />
      </Spot>
    </div>
  );
}

/** The comparison after its operand's type has changed. */
export function comparedAs(
  type: ScalarType | undefined,
  before: ScalarType | undefined,
  compared: { operator: Operator; value: Value },
): { operator: Operator; value: Value } {
  const offered = operatorsOf(type);
  const operator = offered.includes(compared.operator) ? compared.operator : offered[0]!;
  const value = type === before ? compared.value : type === "Boolean" ? true : null;
  return { operator, value: valueFor(operator, value) };
}
