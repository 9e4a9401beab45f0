import { dateOf, instantInWords, longDate, longPeriod } from "../../server/model/kernel/dates.ts";
import { Activity, Coins, Gift, History, Ruler, ShoppingBag, Tag, Target, Trophy, UserRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { DefinitionLink } from "../client/links.tsx";
import { orpc, type TimelineEntry, useWhere } from "../client/service.tsx";
import { cx } from "../components/classes.ts";
import { Badge, Card } from "../components/surface.tsx";
import { PagedList, useListed } from "../components/list-card.tsx";
import { TIMELINE_GROUPS, type TimelineGroup, timelineInput } from "./inputs.ts";
import { formatted } from "../../server/model/kernel/thousands.ts";
import { actionWords } from "../client/subjects.ts";
import { TimeOfDay } from "../components/time.tsx";
import { DeliveryState } from "../developers/deliveries/delivery-state.tsx";
import { HandedItem, NamedDefinition } from "./named.tsx";
import { Properties } from "./properties.tsx";
import { pointsInWords, signedPoints, valueInWords } from "./values.ts";

/** A player's history, newest first, filtered by type. */
export function Timeline({ externalId }: { externalId: string }) {
  const { scope, timeZone } = useWhere();
  const [chosen, setChosen] = useState<TimelineGroup[]>([]);
  const list = useListed((cursor) => orpc.players.timeline.queryOptions({ input: timelineInput(scope, externalId, chosen, cursor) }));
  const toggle = (group: TimelineGroup) =>
    setChosen((before) => (before.includes(group) ? before.filter((one) => one !== group) : [...before, group]));
  return (
    <Card padded={false}>
      <div role="group" aria-label="Show only" className="flex flex-wrap gap-1.5 border-b border-line px-4 py-2.5">
        {TIMELINE_GROUPS.map((label) => (
          <button
            key={label}
            type="button"
            aria-pressed={chosen.includes(label)}
            onClick={() => toggle(label)}
            className={cx(
              "h-7 rounded-full border px-2.5 text-[0.8125rem]",
              chosen.includes(label) ? "border-accent bg-accent-soft text-accent" : "border-line-strong text-quiet hover:text-ink",
            )}
          >
            {label}
          </button>
        ))}
      </div>
      <PagedList
        label="Timeline"
        list={list}
        rows={list.data?.entries}
        empty={{
          icon: <History />,
          title: chosen.length === 0 ? "Nothing happened yet" : "Nothing of this kind yet",
          words: "Events, points, missions, purchases and changes by staff are listed here.",
        }}
      >
        {(entries) => (
          <ol aria-label="Timeline">
            {entries.map((entry, at) => {
              const day = dateOf(entry.at, timeZone);
              const above = entries[at - 1];
              return (
                <TimelineRow
                  key={entry.id}
                  entry={entry}
                  day={above !== undefined && dateOf(above.at, timeZone) === day ? null : longPeriod("Day", day)}
                />
              );
            })}
          </ol>
        )}
      </PagedList>
    </Card>
  );
}

const ICONS: Record<TimelineEntry["type"], typeof Activity> = {
  Event: Activity,
  Metric: Ruler,
  Attribute: Tag,
  Completion: Target,
  Points: Coins,
  Item: Gift,
  Purchase: ShoppingBag,
  Rank: Trophy,
  Staff: UserRound,
};

/** Above this delay between occurrence and receipt, an event shows both. */
const LATE_MS = 60 * 60 * 1000;

function TimelineRow({ entry, day }: { entry: TimelineEntry; day: string | null }) {
  const { isClockMoved, timeZone } = useWhere();
  const { type, at, occurredAt, reason, properties } = entry;
  const Icon = ICONS[type];
  const isStaff = type === "Staff";
  const isLate = occurredAt !== null && Math.abs(Date.parse(occurredAt) - Date.parse(at)) > LATE_MS;
  return (
    <li className="border-b border-line last:border-b-0">
      {day !== null && <h2 className="bg-sunken px-4 py-1.5 text-xs font-medium text-quiet">{day}</h2>}
      <div className="flex gap-3 px-4 py-2.5">
        <Icon className="mt-0.5 size-4 shrink-0 text-quiet" />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
            <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
              <What entry={entry} />
            </span>
            <span className="text-xs text-quiet">
              <TimeOfDay value={at} onClock={!isStaff} />
              {isStaff && isClockMoved && " (real time)"}
            </span>
          </div>
          {reason !== null && (
            <p className="text-xs whitespace-pre-line text-quiet wrap-anywhere">{type === "Purchase" ? `Reversed: ${reason}` : reason}</p>
          )}
          {properties !== null && properties !== "{}" && <Properties properties={properties} />}
          {isLate && <p className="text-xs text-quiet">Happened {instantInWords(occurredAt, timeZone)}</p>}
        </div>
      </div>
    </li>
  );
}

function What({ entry }: { entry: TimelineEntry }): ReactNode {
  const { timeZone } = useWhere();
  const { type, value, points, pointsType, rank, outcome, actor, action, notification, of } = entry;
  switch (type) {
    case "Event":
      return <Of entry={entry} gone="Deleted event" />;
    case "Metric":
      return (
        <>
          <Of entry={entry} gone="Deleted metric" /> {value !== null && <Badge>+{valueInWords(value, timeZone)}</Badge>}
        </>
      );
    case "Attribute":
      return (
        <>
          <Of entry={entry} gone="Deleted attribute" /> is {value === null ? "not set" : valueInWords(value, timeZone)}
        </>
      );
    case "Completion":
      return (
        <>
          Completed <Of entry={entry} gone="a deleted mission" />
        </>
      );
    case "Points":
      return (
        <>
          <span className={cx("tabular-nums", (points ?? 0) > 0 && "text-good")}>
            {signedPoints(points ?? 0)} {Math.abs(points ?? 0) === 1 ? "point" : "points"}
          </span>
          {of !== null && (
            <>
              , {pointsType === "Refund" ? "reversed purchase of " : pointsType === "Spend" ? "for " : "from "}
              <Of entry={entry} gone="" />
            </>
          )}
          {pointsType === "Adjustment" && ", adjusted"}
        </>
      );
    case "Item":
      return (
        <span className="inline-flex flex-wrap items-center gap-2">
          <span>
            Got{" "}
            {entry.of !== null && value !== null ? (
              <HandedItem of={entry.of.key} value={value} />
            ) : (
              <Of entry={entry} gone="a deleted item" />
            )}
          </span>
          {notification !== null && <DeliveryState delivery={notification} />}
        </span>
      );
    case "Purchase":
      return (
        <>
          Bought <Of entry={entry} gone="a deleted listing" /> for {pointsInWords(-(points ?? 0))}
        </>
      );
    case "Rank":
      return (
        <>
          {rank !== null ? `Rank ${formatted(rank)}` : outcome === null ? "Finished" : OUTCOMES[outcome]} in{" "}
          <Of entry={entry} gone="a deleted leaderboard" />
        </>
      );
    case "Staff":
      return (
        <>
          <span className="font-medium">{actor}</span> {actionWords(action ?? "")} this player
        </>
      );
  }
}

const OUTCOMES = { Promoted: "Promoted", Relegated: "Relegated", Stayed: "Stayed in the tier" } as const;

/** An entry's definition, linked; purchases keep their name at that time. */
function Of({ entry: { of, period }, gone }: { entry: TimelineEntry; gone: string }) {
  if (of === null) return <span className="text-quiet">{gone}</span>;
  const { kind, key, name } = of;
  return (
    <>
      {kind === "marketplaceItems" ? <DefinitionLink kind={kind} of={key} name={name} /> : <NamedDefinition kind={kind} of={key} />}
      {period !== null && <span className="text-quiet"> ({longDate(period)})</span>}
    </>
  );
}
