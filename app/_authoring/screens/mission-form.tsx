"use client";

import { Hand, Zap } from "lucide-react";
import type { RewardDraft } from "../../../server/rules/reward.ts";
import type { SpanDraft, RecurrenceDraft } from "../../../server/rules/schedule.ts";
import { RadioCards, Segmented } from "../../_components/choice.tsx";
import { AudienceSection } from "../fields/audience-field.tsx";
import { Identity } from "../fields/identity.tsx";
import { ObjectivesField } from "../fields/objectives-field.tsx";
import { RecurrenceField } from "../fields/recurrence-field.tsx";
import { RewardsField } from "../fields/rewards-field.tsx";
import { SpanField } from "../fields/span-field.tsx";
import { useMember } from "../form/authoring.tsx";
import { DefinitionForm } from "../form/definition-form.tsx";
import { Place } from "../form/place.tsx";
import { Section } from "../form/section.tsx";
import { type Begin, useDefinitionForm } from "../form/use-definition-form.ts";

export function MissionForm(begin: Begin) {
  const form = useDefinitionForm("missions", begin);
  return (
    <DefinitionForm form={form} tries="missions">
      <Identity namePlaceholder="Coffee lover" />
      <ToDo />
      <Rewards />
      <AudienceSection one="mission" description="Judged whenever a player's missions are read." />
      <Window />
      <HowItRuns />
    </DefinitionForm>
  );
}

function ToDo() {
  const [order, setOrder] = useMember<"AnyOrder" | "InOrder">("objectiveOrder");
  const [objectives] = useMember<unknown[]>("objectives");
  return (
    <Section title="What to do" description="The mission is complete once every objective has been met." at={["objectives"]} isSilent>
      <ObjectivesField />
      {objectives.length > 1 && (
        <Place
          at={["objectiveOrder"]}
          label="Order"
          hint={order === "InOrder" ? "An event counts only for the first objective that is still open." : undefined}
        >
          <Segmented
            label="Order"
            value={order}
            onValueChange={setOrder}
            options={[
              { value: "AnyOrder", label: "In any order" },
              { value: "InOrder", label: "One after the other" },
            ]}
          />
        </Place>
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
  const [optIn, setOptIn] = useMember<"Automatic" | "Manual">("optIn");
  const [appearsIn, setAppearsIn] = useMember<"Feed" | "CollectionOnly">("appearsIn");
  const [recurrence, setRecurrence] = useMember<RecurrenceDraft>("recurrence");
  return (
    <Section title="How it runs">
      <Place at={["optIn"]} label="Starts">
        <RadioCards
          label="Starts"
          value={optIn}
          onValueChange={setOptIn}
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
      </Place>
      <RecurrenceField value={recurrence} onValueChange={setRecurrence} hasAfterCompletion />
      <Place at={["appearsIn"]} label="Shown">
        <Segmented
          label="Shown"
          value={appearsIn}
          onValueChange={setAppearsIn}
          options={[
            { value: "Feed", label: "In the feed and in collections" },
            { value: "CollectionOnly", label: "In collections only" },
          ]}
        />
      </Place>
    </Section>
  );
}
