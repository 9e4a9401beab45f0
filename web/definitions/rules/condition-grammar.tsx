"use client";

import { Activity, Box, Coins, Flame, Gauge, Target, Users } from "lucide-react";
import { useMemo } from "react";
import { conditionPhrase, type ConditionDraft } from "#server/model/rules/condition.ts";
import { isMeasured, type MeasuredDraft, typeRead } from "#server/model/rules/measured.ts";
import { find, scopeOf } from "../catalogue.ts";
import { NumberInput } from "../fields/inputs.tsx";
import { DefinitionPicker } from "../fields/pickers.tsx";
import { useAuthoring } from "../form/authoring.tsx";
import { Spot } from "../form/place.tsx";
import { ComparisonControls, comparedAs } from "./comparison.tsx";
import type { Grammar, LeafProps } from "./grammar.tsx";
import { MeasureControls, SourceControl, WhereControls } from "./measured.tsx";

const AT_LEAST = { operator: "GreaterThanOrEqualTo" } as const;
const HISTORY = { where: null, ...AT_LEAST, lastDays: null } as const;

const KINDS: Grammar<ConditionDraft>["kinds"] = [
  {
    value: "attribute",
    label: "Attribute",
    hint: "Their tier, their city",
    icon: <Box aria-hidden />,
    make: () => ({ attribute: null, operator: "EqualTo", value: null }),
  },
  { value: "segment", label: "Segment", hint: "A group you defined", icon: <Users aria-hidden />, make: () => ({ segment: null }) },
  {
    value: "event",
    label: "Event",
    hint: "What they did, ever or recently",
    icon: <Activity aria-hidden />,
    make: () => ({ event: null, measure: { kind: "Count" }, value: 1, ...HISTORY }),
  },
  {
    value: "metric",
    label: "Metric",
    hint: "Their total, ever or recently",
    icon: <Gauge aria-hidden />,
    make: () => ({ metric: null, measure: { kind: "Sum", property: null }, value: null, ...HISTORY }),
  },
  {
    value: "points",
    label: "Points",
    hint: "Their balance",
    icon: <Coins aria-hidden />,
    make: () => ({ points: "Balance", ...AT_LEAST, value: null }),
  },
  {
    value: "missionCompleted",
    label: "Mission",
    hint: "A mission they completed",
    icon: <Target aria-hidden />,
    make: () => ({ missionCompleted: null }),
  },
  {
    value: "streak",
    label: "Streak",
    hint: "How long their streak is",
    icon: <Flame aria-hidden />,
    make: () => ({ streak: null, ...AT_LEAST, value: null }),
  },
];

/** Conditions of audiences and segments. */
export function useConditionGrammar(): Grammar<ConditionDraft> {
  const { catalogue } = useAuthoring();
  return useMemo(
    () => ({
      noun: "condition",
      kinds: KINDS,
      kindOf: (leaf) => KINDS.find(({ value }) => value in leaf)?.value ?? "attribute",
      Leaf: ConditionLeaf,
      phraseOf: (rule) => conditionPhrase(rule, scopeOf(catalogue)),
    }),
    [catalogue],
  );
}

type Of<Member extends string> = Extract<ConditionDraft, Record<Member, unknown>>;

function ConditionLeaf({ rule, onChange, at }: LeafProps<ConditionDraft>) {
  if (isMeasured(rule)) return <HistoryLeaf rule={rule} onChange={onChange} at={at} />;
  if ("attribute" in rule) return <AttributeLeaf rule={rule as Of<"attribute">} onChange={onChange} at={at} />;
  if ("segment" in rule) return <NamedLeaf member="segment" kind="segments" rule={rule} onChange={onChange} at={at} />;
  if ("missionCompleted" in rule) return <NamedLeaf member="missionCompleted" kind="missions" rule={rule} onChange={onChange} at={at} />;
  if ("streak" in rule) return <StreakLeaf rule={rule as Of<"streak">} onChange={onChange} at={at} />;
  if ("points" in rule) {
    const { operator, value } = rule as Of<"points">;
    return (
      <ComparisonControls
        at={at}
        member="value"
        type="Number"
        isQuantity
        operator={operator}
        value={value}
        onChange={(compared) => onChange({ points: "Balance", ...compared })}
      />
    );
  }
  return null;
}

type Props<Rule> = Omit<LeafProps<ConditionDraft>, "rule"> & { rule: Rule };

function HistoryLeaf({ rule, onChange, at }: Props<Of<"lastDays">>) {
  const { catalogue } = useAuthoring();
  const type = typeRead(rule, scopeOf(catalogue));
  const measure = (measured: MeasuredDraft) =>
    onChange({ ...rule, ...measured, ...comparedAs(typeRead(measured, scopeOf(catalogue)), type, rule) } as ConditionDraft);
  return (
    <>
      <SourceControl at={at} value={rule} onChange={measure} />
      <MeasureControls at={at} value={rule} onChange={measure} />
      <ComparisonControls
        at={at}
        member="value"
        type={type}
        isQuantity={type === "Number"}
        operator={rule.operator}
        value={rule.value}
        onChange={(compared) => onChange({ ...rule, ...compared })}
      />
      <Spot at={[...at, "lastDays"]} className="shrink-0">
        <label className="flex h-8 items-center gap-2 text-[0.8125rem] text-quiet">
          in the last
          <NumberInput
            value={rule.lastDays}
            onValueChange={(lastDays) => onChange({ ...rule, lastDays: lastDays as number | null })}
            placeholder="any"
            aria-label="In the last days; empty for all time"
            className="w-16"
          />
          days
        </label>
      </Spot>
      <WhereControls at={at} value={rule} onChange={measure} />
    </>
  );
}

function AttributeLeaf({ rule, onChange, at }: Props<Of<"attribute">>) {
  const { catalogue } = useAuthoring();
  const typeOf = (key: unknown) => find(catalogue.attributes, key)?.type;
  const type = typeOf(rule.attribute);
  return (
    <>
      <Spot at={[...at, "attribute"]} className="min-w-40 flex-1">
        <DefinitionPicker
          kind="attributes"
          value={rule.attribute}
          onValueChange={(attribute) => onChange({ attribute, ...comparedAs(typeOf(attribute), type, rule) })}
        />
      </Spot>
      <ComparisonControls
        at={at}
        member="value"
        type={type}
        operator={rule.operator}
        value={rule.value}
        onChange={(compared) => onChange({ ...rule, ...compared })}
      />
    </>
  );
}

function NamedLeaf({
  member,
  kind,
  rule,
  onChange,
  at,
}: LeafProps<ConditionDraft> & { member: "segment" | "missionCompleted"; kind: "segments" | "missions" }) {
  const { draft, kind: own } = useAuthoring();
  const key = (rule as Record<string, string | null>)[member] ?? null;
  return (
    <Spot at={[...at, member]} className="min-w-40 flex-1">
      <DefinitionPicker
        kind={kind}
        value={key}
        onValueChange={(next) => onChange({ [member]: next } as ConditionDraft)}
        // A segment cannot contain itself.
        accept={(one) => own !== kind || one.key !== draft.key}
      />
    </Spot>
  );
}

function StreakLeaf({ rule, onChange, at }: Props<Of<"streak">>) {
  return (
    <>
      <Spot at={[...at, "streak"]} className="min-w-40 flex-1">
        <DefinitionPicker kind="streaks" value={rule.streak} onValueChange={(streak) => onChange({ ...rule, streak })} />
      </Spot>
      <ComparisonControls
        at={at}
        member="value"
        type="Number"
        isQuantity
        operator={rule.operator}
        value={rule.value}
        onChange={(compared) => onChange({ ...rule, ...compared })}
      />
    </>
  );
}
