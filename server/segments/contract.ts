import { z } from "zod";
import { conditionShape } from "../rules/condition.ts";
import { definition } from "../rules/text-shapes.ts";

export const segmentShape = z.strictObject({ ...definition, rule: conditionShape });
