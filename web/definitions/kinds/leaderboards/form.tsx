"use client";

import { ArrowDown01, ArrowUp01 } from "lucide-react";
import { AudienceSection } from "../../fields/audience-field.tsx";
import { Identity } from "../../fields/identity.tsx";
import { CardsMember, NumberMember } from "../../fields/member-fields.tsx";
import { useAuthoring } from "../../form/authoring.tsx";
import { DefinitionForm } from "../../form/definition-form.tsx";
import { Section } from "../../form/section.tsx";
import type { Begin } from "../../form/use-definition-form.ts";
import { type LeaderboardDraft, leaderboardSummary } from "./summary.ts";
import { LeagueSection } from "./league.tsx";
import { PeriodFields } from "./period.tsx";
import { PrizesSection } from "./prizes.tsx";
import { ScoreSection } from "./score.tsx";

export const LeaderboardForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="leaderboards" summarize={leaderboardSummary}>
    <Identity namePlaceholder="Weekly league" />
    <ScoreSection />
    <Ranking />
    <LeagueSection />
    <PrizesSection />
    <AudienceSection one="leaderboard" description="Players who do not qualify are not ranked." />
    <Display />
  </DefinitionForm>
);

function Ranking() {
  return (
    <Section title="Ranking">
      <CardsMember
        member="rankOrder"
        label="Order"
        options={[
          {
            value: "HighestFirst",
            label: "Highest score first",
            hint: "Most orders, most points.",
            icon: <ArrowDown01 aria-hidden />,
          },
          {
            value: "LowestFirst",
            label: "Lowest score first",
            hint: "Fastest lap, fewest strokes.",
            icon: <ArrowUp01 aria-hidden />,
          },
        ]}
      />
      <PeriodFields />
    </Section>
  );
}

function Display() {
  const { draft } = useAuthoring();
  const hasPeriods = (draft.period as LeaderboardDraft["period"]).kind !== "AllTime";
  return (
    <Section title="Advanced">
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberMember member="topSize" label="Top list size" required hint="How many top ranks your app can show." />
        {hasPeriods && (
          <NumberMember
            member="settleAfterMinutes"
            label="Settles after"
            required
            hint="Minutes after a period ends. Late events count until then."
          />
        )}
      </div>
    </Section>
  );
}
