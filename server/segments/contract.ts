import { conditionShape } from "../rules/condition.ts";
import { measured, metricMeasured } from "../rules/measured.ts";
import { defaulted, filledList, must, oneForm, oneOf, optional, reference, wholeNumber } from "../rules/shapes.ts";
import { operator, type Operator } from "../rules/operator.ts";
import { value } from "../rules/value.ts";
import { definition } from "../rules/text-shapes.ts";
import { z } from "zod";
import type { Scalar } from "../kernel/values.ts";

export const segmentShape = z.strictObject({ ...definition, rule: conditionShape });
