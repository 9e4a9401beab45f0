"use client";

import { Target } from "lucide-react";
import { type AnalyticsReports, orpc, useWhere } from "../../client/service.tsx";
import { useAddress } from "../../client/use-address.ts";
import { LinkButton } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { Card } from "../../components/surface.tsx";
import { Bars, Figures } from "../figures.tsx";
import { CardPairs, ChartCard } from "../charts/chart-card.tsx";
import { byPeriod, compared, distribution } from "../charts/data.ts";
import { missionQuery } from "../report-query.ts";
import { ReportContent, Today, useReportView } from "../report.tsx";
import { RangeBar } from "../range-bar.tsx";
import { otherReport, REPORT } from "../view.ts";
import { durationRange, durationWords, NO_STEPS, percentage, perCompletion, sinceWords } from "../words.ts";

type Mission = AnalyticsReports["mission"];
type FunnelFigures = NonNullable<Mission["totals"]["funnel"]>;

interface MissionReportProps {
  missionKey: string;
  /** A sentence for each objective, shown where it has no description. */
  sentences: readonly string[];
}

interface MissionPageProps extends MissionReportProps {
  name: string;
  today: string;
}

/** One mission: how far players get, how long they take, and what it costs. */
export function MissionPage({ name, today, ...mission }: MissionPageProps) {
  const { href } = useWhere();
  const [view] = useAddress(REPORT);
  return (
    <Page
      title={name}
      breadcrumbs={[
        { label: "Analytics", href: href("/analytics/players") },
        { label: "Missions", href: href(`/analytics/missions${otherReport(view)}`) },
      ]}
      actions={
        <LinkButton href={href(`/missions/${encodeURIComponent(mission.missionKey)}`)} icon={<Target />}>
          Open the mission
        </LinkButton>
      }
    >
      <Today rendered={today}>
        <RangeBar isOfSegments />
        <MissionReport {...mission} />
      </Today>
    </Page>
  );
}

/** One mission's figures for the selected range. */
export function MissionReport({ missionKey, sentences }: MissionReportProps) {
  const { scope } = useWhere();
  const { view, range } = useReportView();
  return (
    <ReportContent query={missionQuery(orpc, scope, range, view.segment, missionKey)}>
      {(mission) => {
        const { frame, totals, completed, steps, objectives, points, durations } = mission;
        return (
          <>
            <Figures
              items={[
                ...(totals.players === null ? [] : [{ label: "First-time players", figure: totals.players }]),
                ...(totals.steps === null ? [] : [{ label: "Offers", figure: totals.steps.entered }]),
                { label: "Completions", figure: totals.completed, good: "up" },
                { label: "Points paid", figure: totals.points, note: perCompletion(totals.points, totals.completed) },
                { label: "Items paid", figure: totals.items, note: perCompletion(totals.items, totals.completed) },
              ]}
            />
            {totals.funnel === null || objectives === null ? (
              <p className="text-[0.8125rem] text-quiet">{NO_STEPS}</p>
            ) : (
              <CardPairs>
                <Funnel mission={mission} funnel={totals.funnel} />
                <Objectives objectives={objectives} sentences={sentences} accepted={totals.funnel.accepted.value} />
              </CardPairs>
            )}
            <ChartCard
              title={steps === null ? "Completions" : "Offers and completions"}
              data={byPeriod(frame, [
                { label: "Completions", look: "line", values: completed.values },
                ...(steps === null ? [] : [{ label: "Offers", look: "second-line" as const, values: steps.entered.values }]),
                { label: "Completions, previous period", look: "before", values: completed.before },
              ])}
              empty="Nothing happened in this mission in this range."
            />
            <CardPairs>
              <ChartCard
                title="Time to complete"
                description={medianSentence(totals.medianSeconds)}
                data={distribution("Time", "Completions", durations, durationRange)}
                empty="No completions with a known start in this range."
              />
              <ChartCard title="Points paid" data={compared(frame, "Points", points, "bar")} empty="No points were paid in this range." />
            </CardPairs>
          </>
        );
      }}
    </ReportContent>
  );
}

function medianSentence(seconds: number | null): string | undefined {
  if (seconds === null) return undefined;
  return seconds < 1
    ? "Half of the completions took less than a second, as when the first event completes the mission."
    : `Half of the completions took less than about ${durationWords(seconds)}.`;
}

/** The funnel: of the offers made in the range, how many reached each step so far, compared with the step before. */
function Funnel({
  mission: { countedSince, frame },
  funnel: { entered, accepted, progressed, completed },
}: {
  mission: Mission;
  funnel: FunnelFigures;
}) {
  const steps = [
    { id: "entered", label: "Offered", value: entered.value },
    { id: "accepted", label: "Accepted", value: accepted.value },
    { id: "progressed", label: "Progressed", value: progressed.value },
    { id: "completed", label: "Completed", value: completed.value },
  ];
  const since = sinceWords("Offers", countedSince, frame);
  return (
    <Card
      title="From offer to completion"
      description={`How far the offers of this range have got so far, each step with its share of the one before. A player has one offer each time the mission repeats.${since === undefined ? "" : ` ${since}`}`}
    >
      <Bars
        label="From offer to completion"
        items={steps.map((step, at) => ({ ...step, note: at === 0 ? "" : percentage(step.value, steps[at - 1]!.value) }))}
      />
    </Card>
  );
}

interface ObjectivesProps {
  objectives: NonNullable<Mission["objectives"]>;
  sentences: MissionReportProps["sentences"];
  accepted: number;
}

/** The drop-off: how many accepted offers have met each objective so far. */
const Objectives = ({ objectives, sentences, accepted }: ObjectivesProps) => (
  <Card title="Objectives met" description="Of the offers of this range that were accepted, how many have met each objective by now.">
    <Bars
      label="Objectives met"
      whole={accepted}
      items={objectives.map(({ id, description, satisfied }, at) => ({
        id,
        label: description ?? sentences[at] ?? `Objective ${at + 1}`,
        value: satisfied.value,
        note: percentage(satisfied.value, accepted),
      }))}
    />
  </Card>
);
