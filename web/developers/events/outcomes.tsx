import { preciseInstant } from "#server/model/kernel/dates.ts";
import { Check, Minus } from "lucide-react";
import { DefinitionLink } from "../../client/links.tsx";
import { TextLink } from "../../components/button.tsx";
import { type Answers, orpc, useRead, useWhere } from "../../client/service.tsx";
import { Code, indented } from "../../components/code.tsx";
import { Loaded } from "../../components/problems.tsx";
import { Notes, Notice, Part } from "../../components/surface.tsx";
import { RewardBadges } from "../../definitions/try/trial-result.tsx";

const LOOK_AGAIN_MS = 1_000;

interface Props {
  player: string;
  eventId: string;
  /** The item that brought it; null if the event itself is shown. */
  item: { requestId: string; position: number } | null;
  /** Whether the payload is not shown elsewhere. */
  showsProperties: boolean;
}

/** An accepted event's recorded effects, and why others did not happen. */
export function Outcomes({ player, eventId, item, showsProperties }: Props) {
  const explained = useRead(
    orpc.events.explain,
    { player, eventId, requestId: item?.requestId, position: item?.position },
    { refetchInterval: ({ state }) => (state.data?.state === "Waiting" ? LOOK_AGAIN_MS : false) },
  );
  return (
    <Loaded of={explained} what="What it changed" className="h-24">
      {(found) =>
        found === null ? (
          <Notice tone="neutral">The event is no longer stored.</Notice>
        ) : (
          <Explained explained={found} showsProperties={showsProperties} />
        )
      }
    </Loaded>
  );
}

interface ExplainedProps extends Pick<Props, "showsProperties"> {
  explained: NonNullable<Answers["events"]["explain"]>;
}

function Explained({ explained: data, showsProperties }: ExplainedProps) {
  const { timeZone, href } = useWhere();
  const { state, outcomes, isRecorded, hasNewDefinitions, notes } = data;
  if (state === "Waiting") {
    return (
      <Notice tone="info" title="Queued">
        Accepted. Processing…
      </Notice>
    );
  }
  if (state === "Quarantined") {
    return (
      <Notice tone="bad" title="Quarantined">
        This event changed nothing. It is in{" "}
        <TextLink href={href("/developers/quarantine")} className="text-accent">
          quarantine
        </TextLink>
        : {data.error}.
      </Notice>
    );
  }
  const changed = outcomes.filter(({ counts }) => counts);
  const others = outcomes.filter(({ counts }) => !counts);
  return (
    <>
      {data.isReplay && (
        <Notice tone="info" title="Replayed">
          An event with this idempotency key was received before, at {preciseInstant(data.receivedAt, timeZone)}. It counted then, and not
          again.
        </Notice>
      )}
      {!isRecorded && (
        <Notice tone="warn" title="Calculated again">
          Changes are recorded for the events listed under “Latest events”. This one is not among them, so it is calculated again with
          today’s definitions and the player as they are now. What it changed then may differ.
        </Notice>
      )}
      <List title={isRecorded ? "What it changed" : "What it would change"} outcomes={changed} empty="Nothing." />
      {isRecorded && hasNewDefinitions && others.length > 0 && (
        <Notice tone="warn" title="Definitions have changed since">
          What it changed is as recorded. The reasons below are those of today’s definitions, which differ from the ones it was processed
          with.
        </Notice>
      )}
      {others.length > 0 && (
        <List
          title={isRecorded ? "No effect" : "Would have no effect"}
          note={isRecorded ? "The reasons are worked out now, with the player as they are." : undefined}
          outcomes={others}
          empty=""
        />
      )}
      {showsProperties && data.properties !== "{}" && (
        <Part title="Properties">
          <Code text={indented(data.properties)} label="Copy properties" />
        </Part>
      )}
      <Notes notes={notes} />
    </>
  );
}

type Outcome = NonNullable<Answers["events"]["explain"]>["outcomes"][number];

const List = ({ title, note, outcomes, empty }: { title: string; note?: string; outcomes: Outcome[]; empty: string }) => (
  <Part title={title}>
    {note !== undefined && <p className="mb-1.5 text-xs text-quiet">{note}</p>}
    {outcomes.length === 0 ? (
      <p className="text-[0.8125rem] text-quiet">{empty}</p>
    ) : (
      <ul aria-label={title} className="rounded-lg border border-line">
        {outcomes.map((outcome) => (
          <One key={`${outcome.kind} ${outcome.key}`} outcome={outcome} />
        ))}
      </ul>
    )}
  </Part>
);

const KINDS: Record<Outcome["kind"], string> = { missions: "Mission", streaks: "Streak", leaderboards: "Leaderboard", metrics: "Metric" };

const One = ({ outcome: { kind, key, name, counts, lines, rewards } }: { outcome: Outcome }) => (
  <li className="flex gap-2.5 border-b border-line px-3 py-2 text-[0.8125rem] last:border-b-0">
    {counts ? (
      <Check role="img" aria-label="counted" className="mt-0.5 size-4 shrink-0 text-good" />
    ) : (
      <Minus role="img" aria-label="not counted" className="mt-0.5 size-4 shrink-0 text-quiet" />
    )}
    <div className="min-w-0 flex-1">
      <span className="flex flex-wrap items-baseline gap-x-2">
        <DefinitionLink kind={kind} of={key} className="inline-block py-0.5" name={name} />
        <span className="text-xs text-quiet">{KINDS[kind]}</span>
      </span>
      <ul>
        {lines.map(({ text }, at) => (
          <li key={at} className="text-quiet wrap-anywhere first-letter:uppercase">
            {text}
          </li>
        ))}
      </ul>
      <RewardBadges rewards={rewards} />
    </div>
  </li>
);
