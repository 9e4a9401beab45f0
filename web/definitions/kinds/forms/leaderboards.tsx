"use client";

import { ArrowDown01, ArrowUp01 } from "lucide-react";
import { type Calendar, CALENDAR_PERIODS, everyInWords } from "#server/model/kernel/calendar.ts";
import type { ScorePeriodDraft } from "#server/model/rules/schedule.ts";
import { option, Segmented } from "#web/components/choice.tsx";
import { AudienceSection } from "../../fields/audience-field.tsx";
import { Identity } from "../../fields/identity.tsx";
import { NumberInput } from "../../fields/inputs.tsx";
import { BLANK_REWARDS, RewardedList } from "../../fields/rewards-field.tsx";
import type { Prize } from "../leaderboard-words.ts";
import { CardsMember, NumberMember } from "../../fields/member-fields.tsx";
import { SpanField } from "../../fields/span-field.tsx";
import { useAuthoring, useMember } from "../../form/authoring.tsx";
import { DefinitionForm } from "../../form/definition-form.tsx";
import { FormField, InlineField, Section } from "../../form/form-field.tsx";
import type { Begin } from "../../form/form-state.ts";
import { LeagueSection } from "./leaderboard-league.tsx";
import { ScoreSection } from "./leaderboard-score.tsx";

export const LeaderboardForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="leaderboards" hasSummary>
    <Identity namePlaceholder="Weekly league" />
    <ScoreSection />
    <Ranking />
    <LeagueSection />
    <PrizesSection />
    <AudienceSection one="leaderboard" description="Players who do not qualify are not ranked." />
    <Display />
  </DefinitionForm>
);

const Ranking = () => (
  <Section title="Ranking">
    <CardsMember
      member="rankOrder"
      label="Order"
      options={[
        option("HighestFirst", "Highest score first", ArrowDown01, "Most orders, most points."),
        option("LowestFirst", "Lowest score first", ArrowUp01, "Fastest lap, fewest strokes."),
      ]}
    />
    <PeriodFields />
  </Section>
);

type Choice = "AllTime" | "Season" | Calendar;

function PeriodFields() {
  const { fixedAt } = useAuthoring();
  const [league] = useMember<object | null>("league");
  const [period, setPeriod] = useMember<ScorePeriodDraft>("period");
  const chosen: Choice = period.kind === "Calendar" ? period.every : period.kind;
  const hasLeague = league !== null;
  // A season only allows changing its ends.
  const at = fixedAt(["period"]) === null && fixedAt(["period", "kind"]) !== null ? ["period", "kind"] : ["period"];
  return (
    <>
      <FormField
        at={at}
        label="Period"
        isDeep={period.kind !== "Season"}
        hint={hasLeague ? "A league needs a repeating period." : undefined}
      >
        <Segmented
          label="Period"
          value={chosen}
          onValueChange={(next) => next !== chosen && setPeriod(periodOf(next))}
          options={[
            ...CALENDAR_PERIODS.map((every) => ({ value: every, label: everyInWords(every) })),
            { value: "Season", label: "Season", disabled: hasLeague },
            { value: "AllTime", label: "All time", disabled: hasLeague },
          ]}
        />
      </FormField>
      {period.kind === "Season" && (
        <SpanField member="period" labels={{ startsAt: "The season starts", endsAt: "The season ends" }} open={null} />
      )}
    </>
  );
}

function periodOf(choice: Choice): ScorePeriodDraft {
  if (choice === "AllTime") return { kind: "AllTime" };
  if (choice === "Season") return { kind: "Season", startsAt: null, endsAt: null };
  return { kind: "Calendar", every: choice };
}

/** Prizes by rank, granted when a period settles. */
function PrizesSection() {
  const [period] = useMember<ScorePeriodDraft>("period");
  const [league] = useMember<object | null>("league");
  return (
    <RewardedList<Prize>
      member="prizes"
      title="Prizes"
      description={
        period.kind === "AllTime"
          ? "Granted when a period settles. An all-time board never settles, so its prizes are never granted."
          : `Granted by rank${league === null ? "" : " in each group"} when a period settles. Tied ranks win the same.`
      }
      noun="prize"
      make={(prizes) => {
        const from = Math.max(0, ...prizes.map(({ toRank }) => toRank ?? 0)) + 1;
        return { fromRank: from, toRank: from === 1 ? 3 : from + 6, rewards: BLANK_REWARDS };
      }}
    >
      {({ item, at, change }) => (
        <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-2 gap-y-1 text-[0.8125rem] text-quiet">
          {(["fromRank", "toRank"] as const).map((end) => (
            <div key={end} className="flex items-start gap-2">
              <span className="flex h-8 items-center">{end === "fromRank" ? "Ranks" : "to"}</span>
              <InlineField at={["prizes", at, end]} className="w-24">
                <NumberInput
                  aria-label={`Prize ${at + 1}: ${end === "fromRank" ? "from" : "to"} rank`}
                  value={item[end]}
                  onValueChange={(next) => change({ ...item, [end]: next as number | null })}
                />
              </InlineField>
            </div>
          ))}
        </div>
      )}
    </RewardedList>
  );
}

function Display() {
  const [period] = useMember<ScorePeriodDraft>("period");
  const hasPeriods = period.kind !== "AllTime";
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
