import { z } from "zod";
import { measured, metricMeasured } from "../events/contract.ts";
import { defaulted, filledList, must, oneForm, oneOf, operator, optional, reference, value, wholeNumber } from "../kernel/shapes.ts";
import { definition } from "../kernel/text-shapes.ts";
import type { Operator, Scalar } from "../kernel/values.ts";

/** Over the stored history of an event, all of it or that of the last days. */
const historyCondition = z.strictObject({ ...measured, operator, value, lastDays: optional(wholeNumber(1, 3_650)) });
export type HistoryConditionShape = z.output<typeof historyCondition>;

const metricCondition = z.strictObject({ ...metricMeasured, operator, value, lastDays: optional(wholeNumber(1, 3_650)) });
export type MetricConditionShape = z.output<typeof metricCondition>;

/** Who takes part (definitions.md, Condition). */
export type ConditionShape =
  | { all: ConditionShape[] }
  | { any: ConditionShape[] }
  | { not: ConditionShape }
  | { attribute: string; operator: Operator; value: Scalar | Scalar[] }
  | { segment: string }
  | HistoryConditionShape
  | MetricConditionShape
  | { streak: string; operator: Operator; value: Scalar | Scalar[] }
  | { points: "Balance"; operator: Operator; value: Scalar | Scalar[] }
  | { missionCompleted: string };

const conditionShape: z.ZodType<ConditionShape> = z.lazy(() =>
  oneForm<ConditionShape>('must be a condition such as { "attribute": "tier", "operator": "EqualTo", "value": "gold" }', [
    historyCondition,
    z.strictObject({ attribute: reference, operator, value }),
    z.strictObject({ segment: reference }),
    z.strictObject({ points: z.literal("Balance", must('must be "Balance"')), operator, value }),
    z.strictObject({ missionCompleted: reference }),
    z.strictObject({ all: filledList(conditionShape) }),
    z.strictObject({ any: filledList(conditionShape) }),
    z.strictObject({ not: conditionShape }),
    metricCondition,
    z.strictObject({ streak: reference, operator, value }),
  ]),
);

/** definitions.md, audience: without a rule it is everyone. */
export const audienceShape = z.strictObject(
  { rule: optional(conditionShape), otherwise: defaulted(oneOf(["Locked", "Hidden"]), "Locked") },
  must('must be an object such as { "rule": null, "otherwise": "Locked" }'),
);

export const segmentShape = z.strictObject({ ...definition, rule: conditionShape });
