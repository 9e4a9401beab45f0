"use client";

import { scopeOf } from "../../catalogue.ts";
import { CALENDAR, type Calendar, CALENDAR_PERIODS } from "#server/model/kernel/calendar.ts";
import { Activity, Gauge, Plus, Trash2 } from "lucide-react";
import { type MeasuredDraft, typeRead } from "#server/model/rules/measured.ts";
import type { Operator } from "#server/model/rules/operator.ts";
import type { RewardDraft } from "#server/model/rules/reward.ts";
import type { Value } from "#server/model/rules/value.ts";
import { Button, IconButton } from "#web/components/button.tsx";
import { Segmented, Switch } from "#web/components/choice.tsx";
import { capitalised } from "#web/components/words.ts";
import { Identity } from "../../fields/identity.tsx";
import { NumberInput } from "../../fields/inputs.tsx";
import { useKeyedList } from "../../fields/keyed-list.ts";
import { RewardsField } from "../../fields/rewards-field.tsx";
import { SegmentedMember } from "../../fields/member-fields.tsx";
import { useAuthoring, useMember } from "../../form/authoring.tsx";
import { DefinitionForm } from "../../form/definition-form.tsx";
import { Place, PlaceProblems, Spot } from "../../form/place.tsx";
import { Section } from "../../form/section.tsx";
import type { Begin } from "../../form/use-definition-form.ts";
import { streakSummary } from "./summary.ts";
import { ComparisonControls, comparedAs } from "../../rules/comparison.tsx";
import { MeasureControls, SourceControl, WhereControls } from "../../rules/measured.tsx";

export const StreakForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="streaks" summarize={streakSummary}>
    <Identity namePlaceholder="Daily coffee" />
    <Cadence />
    <WhatCounts />
    <Freezes />
    <Milestones />
  </DefinitionForm>
);

const usePeriod = (): string => CALENDAR[useMember<Calendar>("cadence")[0]].noun;

function Cadence() {
  return (
    <Section title="Repeats">
      <SegmentedMember
        member="cadence"
        label="Counts"
        hint="In the player's own time zone, if your app has sent it."
        options={CALENDAR_PERIODS.map((every) => ({ value: every, label: capitalised(`${CALENDAR[every].noun}s in a row`) }))}
      />
    </Section>
  );
}

function WhatCounts() {
  const { catalogue, draft, set } = useAuthoring();
  const period = usePeriod();
  const [operator, setOperator] = useMember<Operator>("operator");
  const [target, setTarget] = useMember<Value>("target");
  const isOfMetric = draft.metric !== null && draft.metric !== undefined;
  const measured = {
    where: draft.where ?? null,
    measure: draft.measure,
    ...(isOfMetric ? { metric: draft.metric } : { event: draft.event ?? null }),
  } as MeasuredDraft;
  const type = typeRead(measured, scopeOf(catalogue));
  const become = (next: MeasuredDraft) => {
    set("event", next.event ?? null);
    set("metric", next.metric ?? null);
    set("where", next.where);
    set("measure", next.measure);
    const compared = comparedAs(typeRead(next, scopeOf(catalogue)), type, { operator, value: target });
    setOperator(compared.operator);
    setTarget(compared.value);
  };
  return (
    <Section title={`What makes a ${period} count`}>
      <Segmented
        label="What is counted"
        value={isOfMetric ? "metric" : "event"}
        onValueChange={(kind) =>
          become(
            kind === "metric"
              ? { metric: "", where: null, measure: { kind: "Sum", property: null } }
              : { event: null, where: null, measure: { kind: "Count" } },
          )
        }
        options={[
          { value: "event", label: "An event", icon: <Activity aria-hidden /> },
          { value: "metric", label: "A metric", icon: <Gauge aria-hidden /> },
        ]}
      />
      <div className="flex min-w-0 flex-wrap items-start gap-2">
        <SourceControl at={[]} value={measured} onChange={become} />
        <MeasureControls at={[]} value={measured} onChange={become} />
        <ComparisonControls
          at={[]}
          member="target"
          type={type}
          isQuantity={type === "Number"}
          operator={operator}
          value={target}
          onChange={(compared) => {
            setOperator(compared.operator);
            setTarget(compared.value);
          }}
        />
        <WhereControls at={[]} value={measured} onChange={become} />
      </div>
      <PlaceProblems at={[]} />
    </Section>
  );
}

interface FreezesDraft {
  max: number | null;
  earnEvery: number | null;
}

function Freezes() {
  const period = usePeriod();
  const [freezes, setFreezes] = useMember<FreezesDraft | null>("freezes");
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
          <Place at={["freezes", "earnEvery"]} label="Earn one every" hint={`In ${period}s of the streak that counted.`} required>
            <NumberInput
              value={freezes.earnEvery}
              onValueChange={(earnEvery) => setFreezes({ ...freezes, earnEvery: earnEvery as number | null })}
            />
          </Place>
          <Place at={["freezes", "max"]} label="Maximum held" required>
            <NumberInput value={freezes.max} onValueChange={(max) => setFreezes({ ...freezes, max: max as number | null })} />
          </Place>
        </div>
      )}
    </Section>
  );
}

interface Milestone {
  length: number | null;
  rewards: RewardDraft[];
}

function Milestones() {
  const { isReadOnly } = useAuthoring();
  const period = usePeriod();
  const [milestones, setMilestones] = useMember<Milestone[]>("milestones");
  const list = useKeyedList(milestones, setMilestones);
  const next = Math.max(0, ...milestones.map(({ length }) => length ?? 0));
  return (
    <Section title="Milestones" description="Rewards along the way, each once per streak." at={["milestones"]}>
      {list.items.map(({ id, item }, at) => (
        <div key={id} className="flex flex-col gap-3 rounded-lg border border-line p-3">
          <div className="flex items-start gap-2">
            <Spot at={["milestones", at, "length"]} className="flex-1">
              <label className="flex items-center gap-2 text-[0.8125rem] text-quiet">
                After
                <NumberInput
                  aria-label={`Length of milestone ${at + 1}`}
                  value={item.length}
                  onValueChange={(length) => list.change(at, { ...item, length: length as number | null })}
                  className="w-20"
                />
                {period}s in a row
              </label>
            </Spot>
            <IconButton label={`Remove milestone ${at + 1}`} icon={<Trash2 aria-hidden />} onClick={() => list.remove(at)} />
          </div>
          <RewardsField
            at={["milestones", at, "rewards"]}
            value={item.rewards}
            onValueChange={(rewards) => list.change(at, { ...item, rewards })}
          />
          <PlaceProblems at={["milestones", at, "rewards"]} />
        </div>
      ))}
      {!isReadOnly && (
        <Button
          size="sm"
          icon={<Plus aria-hidden />}
          className="self-start"
          onClick={() => list.add({ length: next === 0 ? 7 : next * 2, rewards: [{ kind: "Points", points: null }] })}
        >
          Add a milestone
        </Button>
      )}
    </Section>
  );
}
