"use client";

import type { RewardDraft } from "#server/model/rules/reward.ts";
import type { SpanDraft } from "#server/model/rules/schedule.ts";
import { Hand, Zap } from "lucide-react";
import { AudienceSection } from "../../fields/audience-field.tsx";
import { Identity } from "../../fields/identity.tsx";
import { ObjectivesField } from "../../fields/objectives-field.tsx";
import { RecurrenceField } from "../../fields/recurrence-field.tsx";
import { RewardsField } from "../../fields/rewards-field.tsx";
import { SpanField } from "../../fields/span-field.tsx";
import { CardsMember, SegmentedMember } from "../../fields/member-fields.tsx";
import { useMember } from "../../form/authoring.tsx";
import { DefinitionForm } from "../../form/definition-form.tsx";
import { Section } from "../../form/section.tsx";
import type { Begin } from "../../form/use-definition-form.ts";
import { missionSummary } from "./summary.ts";

export const MissionForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="missions" summarize={missionSummary}>
    <Identity namePlaceholder="Coffee lover" />
    <ToDo />
    <Rewards />
    <AudienceSection one="mission" description="Checked whenever a player's missions are read." />
    <Window />
    <HowItRuns />
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
          options={[
            { value: "AnyOrder", label: "In any order" },
            { value: "InOrder", label: "In order" },
          ]}
        />
      )}
    </Section>
  );
}

function Rewards() {
  const [rewards, setRewards] = useMember<RewardDraft[]>("rewards");
  return (
    <Section title="Rewards" description="Granted on completion. Later changes do not affect rewards already earned." at={["rewards"]}>
      <RewardsField at={["rewards"]} value={rewards} onValueChange={setRewards} />
    </Section>
  );
}

function Window() {
  const [window, setWindow] = useMember<SpanDraft>("window");
  return (
    <Section title="Availability" description="After the end nobody can join. Players already in it can still finish.">
      <SpanField at={["window"]} value={window} onValueChange={setWindow} />
    </Section>
  );
}

function HowItRuns() {
  return (
    <Section title="Entry and visibility">
      <CardsMember
        member="optIn"
        label="Entry"
        options={[
          {
            value: "Automatic",
            label: "Automatic",
            hint: "Players enter when your app reads their missions.",
            icon: <Zap aria-hidden />,
          },
          {
            value: "Manual",
            label: "Opt-in",
            hint: "Players accept it first. Events count from then on.",
            icon: <Hand aria-hidden />,
          },
        ]}
      />
      <RecurrenceField hasAfterCompletion />
      <SegmentedMember
        member="appearsIn"
        label="Shown in"
        options={[
          { value: "Feed", label: "Feed and collections" },
          { value: "CollectionOnly", label: "Collections only" },
        ]}
      />
    </Section>
  );
}
