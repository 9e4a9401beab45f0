import { z } from "zod";
import { canonicalCondition, checkCondition, conditionShape } from "../rules/condition.ts";
import { defineKind } from "../rules/kind-module.ts";
import { given } from "../rules/readable.ts";
import { conditionReferences } from "../rules/references.ts";
import { definition } from "../rules/text-shapes.ts";

/** A segment is compiled by the conditions that name it. */
const segmentShape = z.strictObject({ ...definition, rule: conditionShape });

export const segmentKind = defineKind(segmentShape, {
  identity: "key",
  isMetByPlayers: false,
  fixed: [],
  rule: ["rule"],
  check: ({ path, readable }, scope) => checkCondition(given(readable)?.rule, [...path, "rule"], scope),
  references: (segment) => conditionReferences(given(segment)?.rule, ["rule"]),
  canonical: (segment, scope) => ({ ...segment, rule: canonicalCondition(segment.rule, scope) }),
  summary: () => ({}),
});
