"use client";

import type { Scalar, ScalarType } from "#server/model/kernel/values.ts";
import { type Operator, takesList } from "#server/model/rules/operator.ts";
import type { Value } from "#server/model/rules/value.ts";
import { ScalarInput } from "./inputs.tsx";
import { ListInput } from "./list-input.tsx";

interface ValueProps {
  type: ScalarType | undefined;
  operator: Operator;
  value: Value;
  onValueChange(value: Value): void;
  "aria-label": string;
}

/** The value of a comparison: one, or a list for In and NotIn. */
export function ValueInput({ type, operator, value, onValueChange, ...rest }: ValueProps) {
  if (takesList(operator)) return <ListInput {...rest} type={type} values={listOf(value)} onValuesChange={onValueChange} />;
  return (
    <ScalarInput {...rest} type={type} value={Array.isArray(value) ? (value[0] ?? null) : (value ?? null)} onValueChange={onValueChange} />
  );
}

const listOf = (value: Value): Scalar[] => (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]);

/** The value after the operator changes between one that takes a single value and one that takes several. */
export const valueFor = (operator: Operator, value: Value): Value =>
  takesList(operator) ? listOf(value) : Array.isArray(value) ? (value[0] ?? null) : value;
