import { Activity, Box, Coins, Flame, Gauge, PieChart, Target, Users } from "lucide-react";
import { useMemo } from "react";
import { conditionPhrase, type ConditionDraft } from "#server/model/rules/condition.ts";
import { isMeasured } from "#server/model/rules/measured.ts";
import { scopeOf } from "../catalogue.ts";
import { TextInput } from "../../components/inputs.tsx";
import { NumberInput } from "../fields/inputs.tsx";
import { DefinitionPicker } from "../fields/pickers.tsx";
import { useAuthoring, useMember } from "../form/authoring.tsx";
import { InlineField } from "../form/form-field.tsx";
import { AttributeControls, ComparisonControls } from "./comparison.tsx";
import { type Grammar, leafKind, type LeafProps } from "./grammar.tsx";
import { MeasuredRule } from "./measured.tsx";

const AT_LEAST = { operator: "GreaterThanOrEqualTo" } as const;
const HISTORY = { where: null, ...AT_LEAST, lastDays: null } as const;

const KINDS: Grammar<ConditionDraft>["kinds"] = [
  leafKind("attribute", "Attribute", "Their tier, their city", Box, () => ({ attribute: null, operator: "EqualTo", value: null })),
  leafKind("segment", "Segment", "A group you defined", Users, () => ({ segment: null })),
  leafKind("event", "Event", "What they did, ever or recently", Activity, () => ({
    event: null,
    measure: { kind: "Count" },
    value: 1,
    ...HISTORY,
  })),
  leafKind("metric", "Metric", "Their total, ever or recently", Gauge, () => ({
    metric: null,
    measure: { kind: "Sum", property: null },
    value: null,
    ...HISTORY,
  })),
  leafKind("points", "Points", "Their balance", Coins, () => ({ points: "Balance", ...AT_LEAST, value: null })),
  leafKind("missionCompleted", "Mission", "A mission they completed", Target, () => ({ missionCompleted: null })),
  leafKind("streak", "Streak", "How long their streak is", Flame, () => ({ streak: null, ...AT_LEAST, value: null })),
  leafKind("share", "Share", "A fixed percentage of all players", PieChart, () => ({ share: null, salt: null })),
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
  if ("attribute" in rule) return <AttributeControls<Of<"attribute">> rule={rule as Of<"attribute">} onChange={onChange} at={at} />;
  if ("segment" in rule) return <NamedLeaf member="segment" kind="segments" rule={rule} onChange={onChange} at={at} />;
  if ("missionCompleted" in rule) return <NamedLeaf member="missionCompleted" kind="missions" rule={rule} onChange={onChange} at={at} />;
  if ("streak" in rule) return <StreakLeaf rule={rule as Of<"streak">} onChange={onChange} at={at} />;
  if ("share" in rule) return <ShareLeaf rule={rule as Of<"share">} onChange={onChange} at={at} />;
  if (!("points" in rule)) return null;
  return <ComparisonControls<Of<"points">> at={at} type="Number" isQuantity rule={rule as Of<"points">} onChange={onChange} />;
}

type Props<Rule> = Omit<LeafProps<ConditionDraft>, "rule"> & { rule: Rule };

const HistoryLeaf = ({ rule, onChange, at }: Props<Of<"lastDays">>) => (
  <MeasuredRule<Of<"lastDays">> at={at} rule={rule} onChange={onChange}>
    <InlineField at={[...at, "lastDays"]} className="shrink-0">
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
    </InlineField>
  </MeasuredRule>
);

interface NamedProps extends LeafProps<ConditionDraft> {
  member: "segment" | "missionCompleted";
  kind: "segments" | "missions";
}

function NamedLeaf({ member, kind, rule, onChange, at }: NamedProps) {
  const { kind: own } = useAuthoring();
  const [ownKey] = useMember<string>("key");
  const key = (rule as Record<string, string | null>)[member] ?? null;
  return (
    <InlineField at={[...at, member]} className="min-w-40 flex-1">
      <DefinitionPicker
        kind={kind}
        value={key}
        onValueChange={(next) => onChange({ [member]: next } as ConditionDraft)}
        // A segment cannot contain itself.
        accept={(one) => own !== kind || one.key !== ownKey}
      />
    </InlineField>
  );
}

const StreakLeaf = ({ rule, onChange, at }: Props<Of<"streak">>) => (
  <>
    <InlineField at={[...at, "streak"]} className="min-w-40 flex-1">
      <DefinitionPicker kind="streaks" value={rule.streak} onValueChange={(streak) => onChange({ ...rule, streak })} />
    </InlineField>
    <ComparisonControls<Of<"streak">> at={at} type="Number" isQuantity rule={rule} onChange={onChange} />
  </>
);

const ShareLeaf = ({ rule, onChange, at }: Props<Of<"share">>) => (
  <>
    <InlineField at={[...at, "share"]} className="shrink-0">
      <label className="flex h-8 items-center gap-2 text-[0.8125rem] text-quiet">
        <NumberInput
          value={rule.share}
          onValueChange={(share) => onChange({ ...rule, share })}
          aria-label="Percentage of players"
          className="w-20"
        />
        % of players
      </label>
    </InlineField>
    <InlineField at={[...at, "salt"]} className="min-w-40 flex-1">
      <TextInput
        value={rule.salt ?? ""}
        onValueChange={(salt) => onChange({ ...rule, salt: salt === "" ? null : salt })}
        placeholder="Salt (optional)"
        aria-label="Salt"
      />
      <span className="text-xs text-quiet">Shares with the same salt select the same players.</span>
    </InlineField>
  </>
);
