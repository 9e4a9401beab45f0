import { Check, ChevronRight, X } from "lucide-react";
import type { ReactNode } from "react";
import { GrantMissionButton, GrantObjectiveButton } from "./actions/player-actions.tsx";
import type { Judgement, MissionStanding } from "../client/service.tsx";

/** An expandable answer. `about` names the subject for screen readers. */
export const ReasonFold = ({ question, about, children }: { question: string; about: string; children: ReactNode }) => (
  <details className="group mt-1.5 text-[0.8125rem]">
    <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded text-quiet hover:text-ink [&::-webkit-details-marker]:hidden">
      <ChevronRight className="size-3.5 transition-transform group-open:rotate-90" />
      {question}
      <span className="sr-only"> {about}</span>
    </summary>
    <div className="mt-1.5 flex flex-col gap-2 rounded-lg bg-sunken px-3 py-2">{children}</div>
  </details>
);

interface WhyNotProps {
  standing: MissionStanding;
  name: string;
  externalId: string;
  /** Whether the reason is already shown beside it. */
  isReasonShown?: boolean;
}

/** Why a player is not in a mission, or has not completed it, as the engine reports it. */
export function WhyNot({ standing, name, externalId, isReasonShown = false }: WhyNotProps) {
  const { key, reason, audience, objectives } = standing;
  return (
    <ReasonFold question="Why not?" about={name}>
      {!isReasonShown && <p>{reason}.</p>}
      {audience !== null && <Conditions lines={audience} />}
      <ul className="flex flex-col gap-1" aria-label="Objectives">
        {objectives.map(({ id, label, value, isDone }) => (
          <li key={id} className="flex flex-wrap items-start gap-x-2 gap-y-1">
            <MetSign isMet={isDone === true} />
            <span className="min-w-32 flex-1 wrap-anywhere">{label}</span>
            <span className="text-quiet">{value}</span>
            {isDone !== true && objectives.length > 1 && (
              <GrantObjectiveButton externalId={externalId} mission={key} objective={id} name={label} />
            )}
          </li>
        ))}
      </ul>
      <GrantMissionButton externalId={externalId} mission={key} name={name} />
    </ReasonFold>
  );
}

/** A rule's conditions, each met or not. */
export const Conditions = ({ lines }: { lines: readonly Judgement[] }) => (
  <ul className="flex flex-col gap-1" aria-label="Conditions">
    {lines.map(({ isMet, text, depth }, at) => (
      <li key={at} className="flex gap-2" style={{ paddingLeft: `${depth}rem` }}>
        <MetSign isMet={isMet} />
        <span className="min-w-0 flex-1 wrap-anywhere">{text}</span>
      </li>
    ))}
  </ul>
);

const MetSign = ({ isMet }: { isMet: boolean }) =>
  isMet ? (
    <Check className="mt-0.5 size-3.5 shrink-0 text-good" aria-label="Met" />
  ) : (
    <X className="mt-0.5 size-3.5 shrink-0 text-faint" aria-label="Not met" />
  );
