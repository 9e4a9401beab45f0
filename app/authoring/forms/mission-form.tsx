"use client";

import type { RewardDraft } from "../../../server/rules/reward.ts";
import type { SpanDraft } from "../../../server/rules/schedule.ts";
import { Hand, Zap } from "lucide-react";
import { AudienceSection } from "../fields/audience-field.tsx";
import { Identity } from "../fields/identity.tsx";
import { ObjectivesField } from "../fields/objectives-field.tsx";
import { RecurrenceField } from "../fields/recurrence-field.tsx";
import { RewardsField } from "../fields/rewards-field.tsx";
import { SpanField } from "../fields/span-field.tsx";
import { CardsMember, SegmentedMember } from "../fields/member-fields.tsx";
import { useMember } from "../form/authoring.tsx";
import { DefinitionForm } from "../form/definition-form.tsx";
import { Section } from "../form/section.tsx";
import type { Begin } from "../form/use-definition-form.ts";
import { missionSummary } from "../sentences/missions.ts";

export const MissionForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="missions" summarize={missionSummary}>
    <Identity namePlaceholder="Coffee lover" />
    <ToDo />
    <Rewards />
    <AudienceSection one="mission" description="Judged whenever a player's missions are read." />
    <Window />
    <HowItRuns />
  </DefinitionForm>
);

function ToDo() {
  const [order] = useMember<"AnyOrder" | "InOrder">("objectiveOrder");
  const [objectives] = useMember<unknown[]>("objectives");
  return (
    <Section title="What to do" description="The mission is complete once every objective has been met." at={["objectives"]} isSilent>
      <ObjectivesField />
      {objectives.length > 1 && (
        <SegmentedMember
          member="objectiveOrder"
          label="Order"
          hint={order === "InOrder" ? "An event counts only for the first objective that is still open." : undefined}
          options={[
            { value: "AnyOrder", label: "In any order" },
            { value: "InOrder", label: "One after the other" },
          ]}
        />
      )}
    </Section>
  );
}

function Rewards() {
  const [rewards, setRewards] = useMember<RewardDraft[]>("rewards");
  return (
    <Section
      title="What it earns"
      description="Granted at once on completion. A later change leaves what was earned as it was."
      at={["rewards"]}
    >
      <RewardsField at={["rewards"]} value={rewards} onValueChange={setRewards} />
    </Section>
  );
}

function Window() {
  const [window, setWindow] = useMember<SpanDraft>("window");
  return (
    <Section title="When it is open" description="The end only stops players from joining: whoever is in it by then may still finish.">
      <SpanField at={["window"]} value={window} onValueChange={setWindow} />
    </Section>
  );
}

function HowItRuns() {
  return (
    <Section title="How it runs">
      <CardsMember
        member="optIn"
        label="Starts"
        options={[
          {
            value: "Automatic",
            label: "By itself",
            hint: "As soon as your app shows the player their missions.",
            icon: <Zap aria-hidden />,
          },
          {
            value: "Manual",
            label: "When the player accepts it",
            hint: "It is offered first; events count from the accept on.",
            icon: <Hand aria-hidden />,
          },
        ]}
      />
      <RecurrenceField hasAfterCompletion />
      <SegmentedMember
        member="appearsIn"
        label="Shown"
        options={[
          { value: "Feed", label: "In the feed and in collections" },
          { value: "CollectionOnly", label: "In collections only" },
        ]}
      />
    </Section>
  );
}
