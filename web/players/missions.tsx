import { dateOf, shortDate } from "../../server/model/kernel/dates.ts";
import { Check, Circle, Target } from "lucide-react";
import { type MissionStanding, orpc, type PlayerSeen, useRead, useWhere } from "../client/service.tsx";
import { Badge, Card, EmptyState, type Tone } from "../components/surface.tsx";
import { Instant } from "../components/time.tsx";
import { Thumbnail } from "../definitions/list/thumbnail.tsx";
import { NamedDefinition, useNames } from "./named.tsx";
import { valueInWords } from "./values.ts";
import { WhyNot } from "./why-not.tsx";
import { useFirst } from "../components/list-card.tsx";
import { Loaded } from "../components/problems.tsx";

type Mission = PlayerSeen["missions"][number];
type Objective = Mission["objectives"][number];

export function ActiveMissions({ missions, externalId }: { missions: Mission[]; externalId: string }) {
  const { data } = useStanding(externalId);
  const standings = new Map(data?.missions.map((standing) => [standing.key, standing]));
  return (
    <Card title="Active missions" padded={false}>
      {missions.length === 0 ? (
        <EmptyState icon={<Target />} title="No active missions">
          Players enter a mission when your app reads their missions. Viewing this page does not enter them.
        </EmptyState>
      ) : (
        <ul>
          {missions.map((mission) => (
            <MissionRow
              key={`${mission.key}/${mission.occurrence}`}
              mission={mission}
              standing={standings.get(mission.key)}
              externalId={externalId}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

function MissionRow({ mission, standing, externalId }: { mission: Mission; standing: MissionStanding | undefined; externalId: string }) {
  const { key, name, images, isAccepted, occurrence, startedAt, objectives } = mission;
  const { timeZone } = useWhere();
  return (
    <li className="flex gap-3 border-b border-line px-4 py-3 last:border-b-0">
      <Thumbnail image={Object.values(images)[0]} name={name} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <NamedDefinition kind="missions" of={key} />
          {occurrence > 0 && <Badge>{shortDate(dateOf(Date.parse(startedAt), timeZone))}</Badge>}
          {!isAccepted && <Badge tone="info">Offered, not yet accepted</Badge>}
          <span className="ml-auto text-xs text-quiet">
            <Instant value={startedAt} onClock />
          </span>
        </div>
        <ul className="mt-1.5 flex flex-col gap-1.5">
          {objectives.map((objective, at) => (
            <ObjectiveRow
              key={at}
              objective={objective}
              words={standing?.objectives[at]?.label ?? objective.description ?? `Objective ${at + 1}`}
            />
          ))}
        </ul>
        {standing !== undefined && (standing.status === "InProgress" || standing.status === "Offered") && (
          <WhyNot standing={standing} name={name} externalId={externalId} />
        )}
      </div>
    </li>
  );
}

function ObjectiveRow({ objective, words }: { objective: Objective; words: string }) {
  const { timeZone } = useWhere();
  const { isSatisfied, actual, target, fraction } = objective;
  return (
    <li className="text-[0.8125rem]">
      <span className="flex flex-wrap items-start gap-x-1.5">
        {isSatisfied ? (
          <Check className="mt-0.5 size-3.5 shrink-0 text-good" aria-label="Met" />
        ) : (
          <Circle className="mt-0.5 size-3.5 shrink-0 text-faint" aria-label="Not met yet" />
        )}
        <span className="min-w-32 flex-1 text-quiet wrap-anywhere">{words}</span>
        {fraction !== null && actual !== null && target !== null && (
          <span className="ml-auto text-right tabular-nums wrap-anywhere">
            {valueInWords(actual, timeZone)} <span className="text-faint">of {valueInWords(target, timeZone)}</span>
          </span>
        )}
      </span>
      {fraction !== null && (
        <progress
          value={fraction}
          max={1}
          aria-label={words}
          className="mt-1 ml-5 block h-1 w-[calc(100%-1.25rem)] appearance-none overflow-hidden rounded-full [&::-moz-progress-bar]:bg-accent-fill bg-line-strong [&::-webkit-progress-bar]:bg-line-strong [&::-webkit-progress-value]:bg-accent-fill"
        />
      )}
    </li>
  );
}

const STATES: Record<MissionStanding["status"], { label: string; tone: Tone }> = {
  InProgress: { label: "In progress", tone: "info" },
  Offered: { label: "Offered", tone: "info" },
  Ready: { label: "Can enter", tone: "info" },
  NotInAudience: { label: "Not in audience", tone: "neutral" },
  Closed: { label: "Closed", tone: "neutral" },
  Completed: { label: "Completed", tone: "good" },
};

/** A player's status in each active mission and segment. */
export const useStanding = (externalId: string) => useRead(orpc.simulation.standing, { externalId });

const SHOWN = 20;
const ORDER: MissionStanding["status"][] = ["Ready", "NotInAudience", "Closed", "Completed"];

/** Missions that the player is not in, with reasons. */
export function OtherMissions({ externalId }: { externalId: string }) {
  const standing = useStanding(externalId);
  const nameOf = useNames("missions");
  const others = ORDER.flatMap((status) => standing.data?.missions.filter((one) => one.status === status) ?? []);
  const [shown, rest] = useFirst(others, SHOWN);
  if (standing.data !== undefined && others.length === 0) return null;
  return (
    <Card title="Other missions" padded={false}>
      <Loaded of={standing} what="Missions" isInset className="h-24">
        {() => (
          <ul aria-label="Other missions">
            {shown.map((one) => (
              <li key={one.key} className="border-b border-line px-4 py-2.5 last:border-b-0">
                <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <NamedDefinition kind="missions" of={one.key} />
                  <Badge tone={STATES[one.status].tone} className="ml-auto">
                    {STATES[one.status].label}
                  </Badge>
                </div>
                {one.status !== "Completed" && <p className="text-xs text-quiet">{one.reason}</p>}
                {(one.status === "Ready" || one.status === "NotInAudience") && (
                  <WhyNot standing={one} name={nameOf(one.key)} externalId={externalId} isReasonShown />
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {rest}
    </Card>
  );
}
