"use client";

import { scopeOf } from "../../catalogue.ts";
import { CALENDAR, type Calendar, CALENDAR_PERIODS } from "#server/model/kernel/calendar.ts";
import { Activity, Gauge } from "lucide-react";
import { type MeasuredDraft, typeRead } from "#server/model/rules/measured.ts";
import type { Operator } from "#server/model/rules/operator.ts";
import type { Value } from "#server/model/rules/value.ts";
import { option, Segmented } from "#web/components/choice.tsx";
import { Switch } from "#web/components/toggle.tsx";
import { capitalised } from "#server/model/kernel/thousands.ts";
import { Identity } from "../../fields/identity.tsx";
import { NumberInput } from "../../fields/inputs.tsx";
import { BLANK_REWARDS, RewardedList } from "../../fields/rewards-field.tsx";
import { SegmentedMember } from "../../fields/member-fields.tsx";
import { useAuthoring, useMember } from "../../form/authoring.tsx";
import { DefinitionForm } from "../../form/definition-form.tsx";
import { FieldProblems, FormField, InlineField, Section } from "../../form/form-field.tsx";
import type { StreakDraft } from "../summaries.ts";
import type { Begin } from "../../form/form-state.ts";
import { comparedAs } from "../../rules/comparison.tsx";
import { MeasuredRule } from "../../rules/measured.tsx";

export const StreakForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="streaks" hasSummary>
    <Identity namePlaceholder="Daily coffee" />
    <Cadence />
    <WhatCounts />
    <Freezes />
    <Milestones />
  </DefinitionForm>
);

const usePeriod = (): string => CALENDAR[useMember<Calendar>("cadence")[0]].noun;

const Cadence = () => (
  <Section title="Repeats">
    <SegmentedMember
      member="cadence"
      label="Counts"
      hint={`In the player's own time zone. If your app has not sent one: ${useAuthoring().catalogue.timeZone} time.`}
      options={CALENDAR_PERIODS.map((every) => ({ value: every, label: capitalised(`${CALENDAR[every].noun}s in a row`) }))}
    />
  </Section>
);

/** The requirement of a period. */
type Requirement = MeasuredDraft & { operator: Operator; target: Value };

function WhatCounts() {
  const { store, catalogue } = useAuthoring();
  const period = usePeriod();
  const [event] = useMember<MeasuredDraft["event"]>("event");
  const [metric] = useMember<MeasuredDraft["metric"]>("metric");
  const [where] = useMember<MeasuredDraft["where"]>("where");
  const [measure] = useMember<MeasuredDraft["measure"]>("measure");
  const [operator] = useMember<Operator>("operator");
  const [target] = useMember<Value>("target");
  const rule: Requirement = { ...(metric == null ? { event: event ?? null } : { metric }), where, measure, operator, target };
  const become = (next: Requirement) => store.write({ event: null, metric: null, ...next });
  const typeOf = (measured: MeasuredDraft) => typeRead(measured, scopeOf(catalogue));
  const countFrom = (source: MeasuredDraft) => become(comparedAs({ ...source, operator, target }, typeOf(source), typeOf(rule)));
  return (
    <Section title={`What makes a ${period} count`}>
      <Segmented
        label="What is counted"
        value={metric == null ? "event" : "metric"}
        onValueChange={(kind) =>
          countFrom(
            kind === "metric"
              ? { metric: "", where: null, measure: { kind: "Sum", property: null } }
              : { event: null, where: null, measure: { kind: "Count" } },
          )
        }
        options={[option("event", "An event", Activity), option("metric", "A metric", Gauge)]}
      />
      <div className="flex min-w-0 flex-wrap items-start gap-2">
        <MeasuredRule at={[]} rule={rule} onChange={become} />
      </div>
      <FieldProblems at={[]} />
    </Section>
  );
}

function Freezes() {
  const period = usePeriod();
  const [freezes, setFreezes] = useMember<StreakDraft["freezes"]>("freezes");
  return (
    <Section title="Freezes" description={`A freeze is used automatically for a missed ${period} and keeps the streak alive.`}>
      <Switch
        checked={freezes !== null}
        onCheckedChange={(has) => setFreezes(has ? { max: 2, earnEvery: 7 } : null)}
        label="Players earn freezes"
        hint={freezes === null ? `Without freezes, a missed ${period} ends the streak.` : undefined}
      />
      {freezes !== null && (
        <div className="grid gap-4 sm:grid-cols-2">
          <FormField at={["freezes", "earnEvery"]} label="Earn one every" hint={`In ${period}s of the streak that counted.`} required>
            <NumberInput
              value={freezes.earnEvery}
              onValueChange={(earnEvery) => setFreezes({ ...freezes, earnEvery: earnEvery as number | null })}
            />
          </FormField>
          <FormField at={["freezes", "max"]} label="Maximum held" required>
            <NumberInput value={freezes.max} onValueChange={(max) => setFreezes({ ...freezes, max: max as number | null })} />
          </FormField>
        </div>
      )}
    </Section>
  );
}

function Milestones() {
  const period = usePeriod();
  return (
    <RewardedList<StreakDraft["milestones"][number]>
      member="milestones"
      title="Milestones"
      description="Rewards along the way, each once per streak."
      noun="milestone"
      make={(milestones) => {
        const last = Math.max(0, ...milestones.map(({ length }) => length ?? 0));
        return { length: last === 0 ? 7 : last * 2, rewards: BLANK_REWARDS };
      }}
    >
      {({ item, at, change }) => (
        <InlineField at={["milestones", at, "length"]} className="flex-1">
          <label className="flex items-center gap-2 text-[0.8125rem] text-quiet">
            After
            <NumberInput
              aria-label={`Length of milestone ${at + 1}`}
              value={item.length}
              onValueChange={(length) => change({ ...item, length: length as number | null })}
              className="w-20"
            />
            {item.length === 1 ? period : `${period}s`} in a row
          </label>
        </InlineField>
      )}
    </RewardedList>
  );
}
