"use client";

import { ArrowDown01, ArrowUp01 } from "lucide-react";
import { AudienceSection } from "../fields/audience-field.tsx";
import { Identity } from "../fields/identity.tsx";
import { CardsMember, NumberMember } from "../fields/member-fields.tsx";
import { useAuthoring } from "../form/authoring.tsx";
import { DefinitionForm } from "../form/definition-form.tsx";
import { Section } from "../form/section.tsx";
import type { Begin } from "../form/use-definition-form.ts";
import { type LeaderboardDraft, leaderboardSummary } from "../sentences/leaderboards.ts";
import { LeagueSection } from "./leaderboard-league.tsx";
import { PeriodFields } from "./leaderboard-period.tsx";
import { PrizesSection } from "./leaderboard-prizes.tsx";
import { ScoreSection } from "./leaderboard-score.tsx";

export const LeaderboardForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="leaderboards" summarize={leaderboardSummary}>
    <Identity namePlaceholder="Weekly league" />
    <ScoreSection />
    <Ranking />
    <LeagueSection />
    <PrizesSection />
    <AudienceSection one="leaderboard" description="Who does not qualify has no place on it." />
    <Display />
  </DefinitionForm>
);

function Ranking() {
  return (
    <Section title="How it ranks">
      <CardsMember
        member="rankOrder"
        label="Order"
        options={[
          {
            value: "HighestFirst",
            label: "The highest score first",
            hint: "Most orders, most points.",
            icon: <ArrowDown01 aria-hidden />,
          },
          {
            value: "LowestFirst",
            label: "The lowest score first",
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
    <Section title="Details">
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberMember member="topSize" label="Longest top list" required hint="How many of the first your app may show." />
        {hasPeriods && (
          <NumberMember
            member="settleAfterMinutes"
            label="Settles after"
            required
            hint="In minutes after the end of a period: so long late events still count."
          />
        )}
      </div>
    </Section>
  );
}
