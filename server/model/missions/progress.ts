import { Decimal, type Numeric, simplify } from "../kernel/decimal.ts";
import type { ObjectiveState } from "../kernel/player.ts";
import { isNumeric, type Scalar, type TaggedValue } from "../kernel/values.ts";
import type { Criterion, Objective, ProgressKind } from "../rules/objective.ts";
import type { Operator } from "../rules/operator.ts";
import { tagged } from "../rules/value.ts";

export interface ObjectiveProgress {
  kind: ProgressKind;
  actual: TaggedValue | null;
  operator: Operator | null;
  target: TaggedValue | null;
  /** 0 to 1 with at most 8 decimals. */
  fraction: Numeric | null;
}

export const NOT_DISPLAYABLE: ObjectiveProgress = { kind: "NotDisplayable", actual: null, operator: null, target: null, fraction: null };

/** Progress of an objective for a player who is in the mission. */
export function progressOf(objective: Objective, state: ObjectiveState): ObjectiveProgress {
  const [criterion] = objective.criteria;
  if (objective.progressKind === "NotDisplayable" || criterion === undefined) return NOT_DISPLAYABLE;
  const value = state.counters[0]?.value ?? null;
  return {
    kind: objective.progressKind,
    actual: value === null ? null : tagged(criterion.type, value),
    operator: criterion.operator,
    target: taggedTarget(criterion),
    fraction: objective.progressKind === "Binary" ? null : fractionOf(value, criterion.target),
  };
}

const FRACTION_DECIMALS = 8;

/** `actual / target`, cut to 0..1; 1 with a target of 0. Null unless both are numbers. */
function fractionOf(actual: Scalar | null, target: Scalar | readonly Scalar[]): Numeric | null {
  if (!isNumeric(actual) || !isNumeric(target)) return null;
  if (Decimal.of(target).equals(0)) return 1;
  const ratio = Decimal.of(actual).dividedBy(target, FRACTION_DECIMALS);
  if (ratio.compare(0) < 0) return 0;
  return ratio.compare(1) > 0 ? 1 : simplify(ratio);
}

const taggedTarget = ({ type, target }: Criterion): TaggedValue =>
  Array.isArray(target) ? { type: "collection", items: target.map((one: Scalar) => tagged(type, one)) } : tagged(type, target as Scalar);
