"use client";

import { Activity, Box, Gauge } from "lucide-react";
import { useMemo } from "react";
import { isMeasured, type MeasuredDraft, typeRead } from "#server/model/rules/measured.ts";
import {
  objectivePhrase,
  type AttributeObjectiveDraft,
  type MeasuredObjectiveDraft,
  type ObjectiveDraft,
} from "#server/model/rules/objective.ts";
import { find, scopeOf } from "../catalogue.ts";
import { DefinitionPicker } from "../fields/pickers.tsx";
import { useAuthoring } from "../form/authoring.tsx";
import { Spot } from "../form/place.tsx";
import { ComparisonControls, comparedAs } from "./comparison.tsx";
import type { Grammar, LeafProps } from "./grammar.tsx";
import { MeasureControls, SourceControl, WhereControls } from "./measured.tsx";

const AT_LEAST_ONCE = { where: null, measure: { kind: "Count" }, operator: "GreaterThanOrEqualTo", target: 1 } as const;

const KINDS: Grammar<ObjectiveDraft>["kinds"] = [
  {
    value: "event",
    label: "Event",
    hint: "Something the player does",
    icon: <Activity aria-hidden />,
    make: () => ({ event: null, ...AT_LEAST_ONCE }),
  },
  {
    value: "metric",
    label: "Metric",
    hint: "A running total of the player",
    icon: <Gauge aria-hidden />,
    make: () => ({ metric: null, ...AT_LEAST_ONCE, measure: { kind: "Sum", property: null }, target: null }),
  },
  {
    value: "attribute",
    label: "Attribute",
    hint: "A fact about the player",
    icon: <Box aria-hidden />,
    make: () => ({ attribute: null, operator: "EqualTo", target: null }),
  },
];

/** Objectives of a mission. */
export function useObjectiveGrammar(): Grammar<ObjectiveDraft> {
  const { catalogue } = useAuthoring();
  return useMemo(
    () => ({
      noun: "condition",
      kinds: KINDS,
      kindOf: (leaf) => ("attribute" in leaf ? "attribute" : "metric" in leaf ? "metric" : "event"),
      Leaf: ObjectiveLeaf,
      phraseOf: (rule) => objectivePhrase(rule, scopeOf(catalogue)),
    }),
    [catalogue],
  );
}

function ObjectiveLeaf(props: LeafProps<ObjectiveDraft>) {
  return isMeasured(props.rule) ? <MeasuredLeaf {...props} /> : <AttributeLeaf {...props} />;
}

function MeasuredLeaf({ rule, onChange, at }: LeafProps<ObjectiveDraft>) {
  const { catalogue } = useAuthoring();
  const objective = rule as MeasuredObjectiveDraft;
  const type = typeRead(objective, scopeOf(catalogue));
  const compared = { operator: objective.operator, value: objective.target };
  const measure = (measured: MeasuredDraft) => {
    const { operator, value } = comparedAs(typeRead(measured, scopeOf(catalogue)), type, compared);
    onChange({ ...objective, ...measured, operator, target: value });
  };
  return (
    <>
      <SourceControl at={at} value={objective} onChange={measure} />
      <MeasureControls at={at} value={objective} onChange={measure} />
      <ComparisonControls
        at={at}
        member="target"
        type={type}
        isQuantity={type === "Number"}
        {...compared}
        onChange={({ operator, value }) => onChange({ ...objective, operator, target: value })}
      />
      <WhereControls at={at} value={objective} onChange={measure} />
    </>
  );
}

function AttributeLeaf({ rule, onChange, at }: LeafProps<ObjectiveDraft>) {
  const { catalogue } = useAuthoring();
  const objective = rule as AttributeObjectiveDraft;
  const typeOf = (key: unknown) => find(catalogue.attributes, key)?.type;
  const type = typeOf(objective.attribute);
  const compared = { operator: objective.operator, value: objective.target };
  return (
    <>
      <Spot at={[...at, "attribute"]} className="min-w-40 flex-1">
        <DefinitionPicker
          kind="attributes"
          value={objective.attribute}
          onValueChange={(attribute) => {
            const { operator, value } = comparedAs(typeOf(attribute), type, compared);
            onChange({ ...objective, attribute, operator, target: value });
          }}
        />
      </Spot>
      <ComparisonControls
        at={at}
        member="target"
        type={type}
        {...compared}
        onChange={({ operator, value }) => onChange({ ...objective, operator, target: value })}
      />
    </>
  );
}
