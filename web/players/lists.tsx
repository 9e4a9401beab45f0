import { dateOf, longDate, shortDate } from "../../server/model/kernel/dates.ts";
import { Activity, CircleCheck, Coins, ShoppingBag } from "lucide-react";
import { Fragment } from "react";
import { DefinitionLink } from "../client/links.tsx";
import { orpc, type PlayerCompletion, type PurchaseSeen, type TimelineEntry, useWhere } from "../client/service.tsx";
import { MoreLink } from "../components/button.tsx";
import { dialogOnceOpen, useAsked } from "../components/overlay.tsx";
import { Badge } from "../components/surface.tsx";
import { ListCard, useListed } from "../components/list-card.tsx";
import { type Column, column, instantColumn, numericColumn } from "../components/table.tsx";
import { DELIVERIES } from "../developers/deliveries/delivery-filter.ts";
import { HandedItem, NamedDefinition } from "./named.tsx";
import { pageInput, timelineInput } from "./inputs.ts";
import { signedPoints, valueInWords } from "./values.ts";
import { EVENTS } from "../developers/events/filters.ts";
import { Properties } from "./properties.tsx";
import { cx } from "../components/classes.ts";
import { priceColumn, Purchased, reverseColumn } from "./purchase-columns.tsx";

const ReversePurchase = dialogOnceOpen(() => import("./reverse-purchase.tsx").then((loaded) => loaded.ReversePurchase));

function DeliveriesLink({ externalId }: { externalId: string }) {
  const { href } = useWhere();
  return <MoreLink href={href(`/developers/deliveries${DELIVERIES.queryOf({ player: externalId })}`)}>Deliveries</MoreLink>;
}

/** A player's completed missions, newest first, with the rewards of that time. */
export function Completions({ externalId }: { externalId: string }) {
  const { scope, timeZone } = useWhere();
  const list = useListed((cursor) => orpc.players.completions.queryOptions({ input: pageInput(scope, externalId, cursor) }));
  const columns: Column<PlayerCompletion>[] = [
    column("Mission", ({ mission, occurrence, startedAt }) => (
      <span className="flex flex-wrap items-center gap-x-2">
        {mission === null ? <span className="text-quiet">Deleted mission</span> : <NamedDefinition kind="missions" of={mission} />}
        {occurrence > 0 && <Badge>{shortDate(dateOf(Date.parse(startedAt), timeZone))}</Badge>}
      </span>
    )),
    column("Rewards", ({ rewards }) => <GrantedRewards rewards={rewards} />),
    instantColumn("Completed", ({ completedAt }) => completedAt, { className: "sm:w-40", onClock: true, isQuiet: true }),
  ];
  return (
    <ListCard
      isTitled
      label="Completed missions"
      actions={<DeliveriesLink externalId={externalId} />}
      columns={columns}
      list={list}
      rows={list.data?.completions}
      rowKey={({ id }) => id}
      empty={{
        icon: <CircleCheck />,
        title: "No completed missions yet",
        words: "Completed missions are listed here with their rewards.",
      }}
    />
  );
}

function GrantedRewards({ rewards }: Pick<PlayerCompletion, "rewards">) {
  return (
    <span className="text-[0.8125rem]">
      {rewards.map((reward, at) => (
        <Fragment key={at}>
          {at > 0 && ", "}
          {reward.catalogItem === null ? (
            <span className="whitespace-nowrap tabular-nums">{reward.text}</span>
          ) : (
            <HandedItem of={reward.catalogItem} value={reward.value} />
          )}
        </Fragment>
      ))}
    </span>
  );
}

/** A player's events and metric events as sent, last received first. */
export function Facts({ externalId }: { externalId: string }) {
  const { scope, href, timeZone } = useWhere();
  const list = useListed((cursor) => orpc.players.timeline.queryOptions({ input: timelineInput(scope, externalId, ["Events"], cursor) }));
  const columns: Column<TimelineEntry>[] = [
    column("Event", ({ type, of, value }) => (
      <span className="flex flex-wrap items-center gap-x-2">
        {of === null ? (
          <span className="text-quiet">Deleted</span>
        ) : (
          <NamedDefinition kind={type === "Metric" ? "metrics" : "events"} of={of.key} />
        )}
        {value !== null && <Badge>+{valueInWords(value, timeZone)}</Badge>}
      </span>
    )),
    column("Properties", ({ properties }) => <Properties properties={properties ?? "{}"} />, "max-md:hidden"),
    instantColumn("Happened", ({ occurredAt, at }) => occurredAt ?? at, { className: "sm:w-40", onClock: true }),
    instantColumn("Received", ({ at }) => at, { className: "w-40 max-sm:hidden", onClock: true, isQuiet: true }),
  ];
  return (
    <ListCard
      isTitled
      label="Events"
      actions={<MoreLink href={href(`/developers/events${EVENTS.queryOf({ player: externalId })}`)}>What each changed</MoreLink>}
      columns={columns}
      list={list}
      rows={list.data?.entries}
      rowKey={({ id }) => id}
      empty={{
        icon: <Activity />,
        title: "No events yet",
        words: "Events that your backend sends for this player are listed here.",
      }}
    />
  );
}

export function Transactions({ externalId }: { externalId: string }) {
  const { scope } = useWhere();
  const list = useListed((cursor) => orpc.players.timeline.queryOptions({ input: timelineInput(scope, externalId, ["Points"], cursor) }));
  const columns: Column<TimelineEntry>[] = [
    column("Source", (entry) => <WhatFor entry={entry} />),
    numericColumn(
      "Points",
      ({ points }) => <span className={cx((points ?? 0) > 0 && "text-good")}>{signedPoints(points ?? 0)}</span>,
      "sm:w-28",
    ),
    instantColumn("When", ({ at }) => at, { className: "sm:w-40", onClock: true, isQuiet: true }),
  ];
  return (
    <ListCard
      isTitled
      label="Points history"
      columns={columns}
      list={list}
      rows={list.data?.entries}
      rowKey={({ id }) => id}
      empty={{ icon: <Coins />, title: "No points yet", words: "Points that the player earns and spends are listed here." }}
    />
  );
}

const TYPES = { Grant: "Earned", Spend: "Spent", Adjustment: "Adjusted", Refund: "Refunded" } as const;

function WhatFor({ entry: { of, period, pointsType, reason } }: { entry: TimelineEntry }) {
  const isRefund = pointsType === "Refund";
  return (
    <span className="wrap-anywhere">
      {isRefund && "Reversed purchase: "}
      {of === null ? TYPES[pointsType ?? "Grant"] : <PointsSource of={of} period={period} isBare={isRefund} />}
      {reason !== null && <span className="block text-xs text-quiet">{reason}</span>}
    </span>
  );
}

type Subject = NonNullable<TimelineEntry["of"]>;

/** A prefix for ambiguous sources. */
const PREFIXES: Partial<Record<Subject["kind"], string>> = {
  streaks: "Streak milestone: ",
  leaderboards: "Prize: ",
  marketplaceItems: "Purchase: ",
};

/** The source of points, linked; without the prefix where it was already shown. */
const PointsSource = ({ of: { kind, key, name }, period, isBare }: { of: Subject; period: string | null; isBare: boolean }) => (
  <>
    {!isBare && PREFIXES[kind]}
    <DefinitionLink kind={kind} of={key} name={name} />
    {period !== null && <span className="text-quiet"> ({longDate(period)})</span>}
  </>
);

/** A player's purchases, newest first, with fulfilment. Support can reverse them. */
export function Purchases({ externalId }: { externalId: string }) {
  const { scope, can } = useWhere();
  const { asked, opening, ask, opened } = useAsked<PurchaseSeen>();
  const list = useListed((cursor) => orpc.marketplace.purchases.queryOptions({ input: pageInput(scope, externalId, cursor) }));
  const columns: Column<PurchaseSeen>[] = [
    column("Listing", (purchase) => <Purchased purchase={purchase} boughtClass="sm:hidden" />),
    priceColumn("sm:w-28"),
    instantColumn("When", ({ purchasedAt }) => purchasedAt, { className: "sm:w-40 max-sm:hidden", onClock: true, isQuiet: true }),
  ];
  if (can("Support")) {
    const words = <span className="max-md:hidden">Reverse purchase</span>;
    columns.push(reverseColumn({ onReverse: ask, nameOf: ({ name }) => name, words }));
  }
  return (
    <>
      <ListCard
        isTitled
        label="Purchases"
        actions={<DeliveriesLink externalId={externalId} />}
        columns={columns}
        list={list}
        rows={list.data?.purchases}
        rowKey={({ id }) => id}
        empty={{ icon: <ShoppingBag />, title: "No purchases yet", words: "Purchases are listed here and can be reversed." }}
      />
      {asked !== null && <ReversePurchase key={opening} purchase={asked} {...opened} />}
    </>
  );
}
