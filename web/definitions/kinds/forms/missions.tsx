"use client";

import type { RewardDraft } from "#server/model/rules/reward.ts";
import { Hand, Zap } from "lucide-react";
import { choicesOf } from "../../document/labels.ts";
import { AudienceSection } from "../../fields/audience-field.tsx";
import { Identity } from "../../fields/identity.tsx";
import { ObjectivesField } from "../../fields/objectives-field.tsx";
import { RecurrenceField } from "../../fields/recurrence-field.tsx";
import { RewardsField } from "../../fields/rewards-field.tsx";
import { SpanField } from "../../fields/span-field.tsx";
import { CardsMember, SegmentedMember } from "../../fields/member-fields.tsx";
import { useMember } from "../../form/authoring.tsx";
import { DefinitionForm } from "../../form/definition-form.tsx";
import { Section } from "../../form/form-field.tsx";
import type { Begin } from "../../form/form-state.ts";
import { choices, option } from "#web/components/choice.tsx";

export const MissionForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="missions" hasSummary>
    <Identity namePlaceholder="Coffee lover" />
    <ToDo />
    <RewardsSection />
    <AudienceSection one="mission" description="Checked whenever a player's missions are read." />
    <Section title="Availability" description="After the end no one can join. Players already in it can still finish.">
      <SpanField member="window" />
    </Section>
    <Section title="Entry and visibility">
      <CardsMember
        member="optIn"
        label="Entry"
        options={[
          option("Automatic", "Automatic", Zap, "Players enter when your app reads their missions."),
          option("Manual", "Opt-in", Hand, "Players accept it first. Events count from then on."),
        ]}
      />
      <RecurrenceField hasAfterCompletion />
      <SegmentedMember member="appearsIn" label="Shown in" options={choicesOf("appearsIn", ["Feed", "CollectionOnly"])} />
    </Section>
  </DefinitionForm>
);

function ToDo() {
  const [order] = useMember<"AnyOrder" | "InOrder">("objectiveOrder");
  const [objectives] = useMember<unknown[]>("objectives");
  return (
    <Section title="Objectives" description="The mission is complete once every objective is met." at={["objectives"]} isSilent>
      <ObjectivesField />
      {objectives.length > 1 && (
        <SegmentedMember
          member="objectiveOrder"
          label="Order"
          hint={order === "InOrder" ? "An event counts only for the first objective that is still open." : undefined}
          options={choices({ AnyOrder: "In any order", InOrder: "In order" })}
        />
      )}
    </Section>
  );
}

function RewardsSection() {
  const [rewards, setRewards] = useMember<RewardDraft[]>("rewards");
  return (
    <Section
      title="Rewards"
      description="Granted on completion. Players in progress get the new reward; earned ones stay."
      at={["rewards"]}
    >
      <RewardsField at={["rewards"]} value={rewards} onValueChange={setRewards} />
    </Section>
  );
}
