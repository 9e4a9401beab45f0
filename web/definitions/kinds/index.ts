import { instantInWords } from "#server/model/kernel/dates.ts";
import {
  Activity,
  Box,
  Coins,
  Flame,
  Gauge,
  Gift,
  LayoutGrid,
  ListTree,
  type LucideIcon,
  Percent,
  Tag,
  Target,
  Trophy,
  Users,
} from "lucide-react";
import type { ReactNode } from "react";
import type { DashboardClient } from "#server/api/dashboard.ts";
import type { Answers } from "../../client/service.tsx";
import type { Kind } from "#server/model/definitions/contract.ts";
import { ANY_PERIODS } from "#server/model/kernel/calendar.ts";
import { capitalised, formatted, plural } from "#server/model/kernel/thousands.ts";
import type { Column } from "../../components/table.tsx";
import {
  audience,
  summaryColumn,
  discovered,
  endWords,
  type ListedDefinition,
  members,
  periodWords,
  properties,
  rewardWords,
  source,
  typeWords,
} from "./columns.tsx";

/**
 * A kind as every page of the dashboard knows it, on the server and in the browser. This file imports no form, no zod shape and no
 * sentence: those are loaded with the forms (`drafts.ts`, `summaries.ts`, `forms/`).
 */
export interface KindScreen {
  /** The path segment. */
  path: string;
  /** "mission", as written in a sentence. */
  one: string;
  /** "Missions", as a title. */
  many: string;
  icon: LucideIcon;
  /** Its group in the side bar. */
  section: "Engage" | "Reward" | "Data";
  /** More search terms in the palette. */
  keywords: string;
  /** Its purpose, for the empty state. */
  purpose: string;
  /** Kind-specific list columns: two at most, beside name, figure or use, and change. */
  columns: readonly Column<ListedDefinition>[];
  /** The line of a list under a definition's name, beside the key. `now` is on the environment's clock. */
  underName?(summary: ListedDefinition["summary"], now: string): readonly ReactNode[];
  /** Identified by a member other than a key: it has no switch, and a copy gets no new key. */
  isKeyless?: true;
  /** There are examples to start from (server/model/rules/authoring-examples.ts). */
  hasExamples?: true;
  /** Its name in a sentence, if its key is not a name. */
  nameOf?(key: string, timeZone: string): string;
  /** How it is tried, with facts or a purchase, and whether it has an audience; left out if that is impossible. */
  trial?: { of: "Facts" | "Purchase"; hasAudience: boolean };
}

/** The kinds with a trial. */
export type TriedKind = Parameters<DashboardClient["simulation"]["run"]>[0]["kind"];

const named = (one: string, icon: LucideIcon, section: KindScreen["section"]) => ({
  one,
  icon,
  section,
  path: `${one.replace(" ", "-")}s`,
  many: `${capitalised(one)}s`,
});

/** All kinds, in the order of the side bar. A missing kind is a compile error, and so is a missing trial of a kind that can be tried. */
export const KIND_SCREENS: { [One in Kind]: One extends TriedKind ? KindScreen & Required<Pick<KindScreen, "trial">> : KindScreen } = {
  missions: {
    ...named("mission", Target, "Engage"),
    keywords: "quest challenge goal task achievement badge objective reward",
    purpose: "A mission asks players to do something (order five times, visit on three days) and rewards them for it, once or repeatedly.",
    columns: [audience, summaryColumn("rewards", "Rewards", rewardWords, false, "points")],
    underName: ({ recurrence, optIn, endsAt }, now) => [
      periodWords(recurrence),
      ...(optIn === "Manual" ? ["Opt-in"] : []),
      ...endWords(endsAt, now),
    ],
    hasExamples: true,
    trial: { of: "Facts", hasAudience: true },
  },
  missionCollections: {
    ...named("mission collection", ListTree, "Engage"),
    keywords: "campaign page",
    purpose: "A collection shows selected missions in your own order, for a page or a campaign.",
    columns: [members("Missions")],
  },
  streaks: {
    ...named("streak", Flame, "Engage"),
    keywords: "habit chain days in a row freeze milestone",
    purpose: `A streak counts how many ${ANY_PERIODS} in a row a player did something, and rewards milestones along the way.`,
    columns: [source("Counts"), summaryColumn("milestones", "Milestones", ({ milestones }) => formatted(milestones), true, "milestones")],
    underName: ({ cadence }) => [periodWords(cadence)],
    hasExamples: true,
    trial: { of: "Facts", hasAudience: false },
  },
  leaderboards: {
    ...named("leaderboard", Trophy, "Engage"),
    keywords: "ranking rank league tier season prize competition contest scores",
    purpose: "A leaderboard ranks players or teams by what they did: all time, each week or for a season, with leagues if you like.",
    columns: [source("Ranks by"), audience],
    underName: ({ period, hasLeague, endsAt }, now) => [periodWords(period), ...(hasLeague ? ["League"] : []), ...endWords(endsAt, now)],
    hasExamples: true,
    trial: { of: "Facts", hasAudience: true },
  },
  segments: {
    ...named("segment", Users, "Engage"),
    keywords: "group audience cohort rule filter",
    purpose: "A segment is a group of players that meet a rule, such as everyone who spent 100 in the last 30 days. Audiences can use it.",
    columns: [],
  },
  marketplaceItems: {
    ...named("listing", Tag, "Reward"),
    keywords: "shop store marketplace product item price stock offer coupon voucher",
    purpose: "A listing is what the shop sells: a price in points, its contents and its stock. The API calls it a marketplace item.",
    columns: [summaryColumn("price", "Price", ({ price }) => plural(price, "point"), true, "price"), audience],
    underName: ({ recurrence, endsAt }, now) => [...(recurrence === "None" ? [] : [periodWords(recurrence)]), ...endWords(endsAt, now)],
    trial: { of: "Purchase", hasAudience: true },
  },
  marketplaceCollections: {
    ...named("listing collection", LayoutGrid, "Reward"),
    keywords: "shop marketplace shelf",
    purpose: "A collection shows selected listings in your own order, such as a shelf of the shop.",
    columns: [members("Listings")],
  },
  catalogItems: {
    ...named("catalog item", Gift, "Reward"),
    keywords: "reward fulfillment fulfilment",
    purpose: "A catalog item is something your own systems hand out, such as a free coffee. A webhook tells them who gets one.",
    columns: [summaryColumn("valueType", "Value", ({ valueType }) => typeWords(valueType))],
  },
  pointsValuations: {
    ...named("valuation", Coins, "Reward"),
    many: "Points valuations",
    keywords: "worth money liability",
    purpose: "A valuation says what a point is worth from a date on, so that analytics can price the points that players hold.",
    columns: [
      summaryColumn(
        "worth",
        "Worth",
        ({ points, amount, currency }) => `${plural(points, "point")} = ${String(amount)} ${String(currency)}`,
      ),
    ],
    isKeyless: true,
    // A valuation is identified by its start instant.
    nameOf: (key, timeZone) => (Number.isNaN(Date.parse(key)) ? key : `from ${instantInWords(key, timeZone)}`),
  },
  events: {
    ...named("event", Activity, "Data"),
    keywords: "property tracking",
    purpose:
      "An event is something players do that your backend sends: an order, a visit, a review. Missions, streaks and leaderboards count them.",
    columns: [properties, discovered],
  },
  metrics: {
    ...named("metric", Gauge, "Data"),
    keywords: "counter total sum",
    purpose: "A metric is a running total, such as money spent or steps walked. Each metric event adds to it.",
    columns: [summaryColumn("metricKind", "Kind", ({ metricKind }) => typeWords(metricKind)), properties],
  },
  attributes: {
    ...named("attribute", Box, "Data"),
    keywords: "trait field profile",
    purpose: "An attribute describes a player until it changes: their tier, their city, their plan.",
    columns: [summaryColumn("type", "Type", ({ type }) => typeWords(type)), discovered],
  },
  exchangeRates: {
    ...named("exchange rate", Percent, "Data"),
    keywords: "currency money conversion",
    purpose: "An exchange rate says what one unit of a currency is worth in the base currency, so that amounts can be added up.",
    columns: [summaryColumn("rate", "Rate", ({ rate }) => String(rate), true)],
    isKeyless: true,
  },
};

export const ALL_KINDS = Object.entries(KIND_SCREENS) as [Kind, KindScreen][];

/** Accepts any text, since an audit log also names projects, keys and users. */
export const isKind = (name: string): name is Kind => Object.hasOwn(KIND_SCREENS, name);

/** The kind of a path segment; null if there is none. */
export const kindAt = (path: string): Kind | null => ALL_KINDS.find(([, module]) => module.path === path)?.[0] ?? null;

/** "/missions/coffee_lover": a definition's path in its environment. */
export const definitionPath = (kind: Kind, key: string): string => `/${KIND_SCREENS[kind].path}/${encodeURIComponent(key)}`;

/** A definition's name in a sentence when only its key is known: "from 29 Mar 2026, 09:30", or the key. */
export const nameOfKey = (kind: Kind, key: string, timeZone: string): string => KIND_SCREENS[kind].nameOf?.(key, timeZone) ?? key;

/** The same as a title. */
export function titleOfKey(kind: Kind, key: string, timeZone: string): string {
  const name = nameOfKey(kind, key, timeZone);
  return name === key ? key : capitalised(name);
}

export const isTried = (kind: Kind): kind is TriedKind => KIND_SCREENS[kind].trial !== undefined;

type Catalogue = Answers["definitions"]["catalogue"];
type Named = Pick<Catalogue["missions"][number], "key" | "name" | "active">;

/** A kind's entries in a catalogue; none for keyless kinds. */
export const entriesOf = (catalogue: Catalogue, kind: Kind): readonly Named[] =>
  kind in catalogue ? catalogue[kind as Kind & keyof Catalogue] : [];

/** The name of a definition; undefined if the catalogue does not have it. */
export const nameIn = (catalogue: Catalogue | undefined, kind: Kind, key: string | null): string | undefined =>
  catalogue && entriesOf(catalogue, kind).find((one) => one.key === key)?.name;
