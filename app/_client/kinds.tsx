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
import type { Kind } from "../../server/definitions/contract.ts";

/** How a kind of definition is called on the screens, and where its screens are. */
export interface KindWords {
  kind: Kind;
  /** The part of the address. */
  path: string;
  one: string;
  many: string;
  icon: LucideIcon;
  /** What it is for, where there is none yet. */
  purpose: string;
}

const words = (kind: Kind, path: string, one: string, many: string, icon: LucideIcon, purpose: string): KindWords => ({
  kind,
  path,
  one,
  many,
  icon,
  purpose,
});

export const KIND_WORDS: Record<Kind, KindWords> = {
  missions: words(
    "missions",
    "missions",
    "mission",
    "Missions",
    Target,
    "A mission asks players to do something (order five times, visit on three days) and rewards them for it, once or again and again.",
  ),
  missionCollections: words(
    "missionCollections",
    "mission-collections",
    "mission collection",
    "Mission collections",
    ListTree,
    "A collection shows chosen missions in an order of yours, for a page or a campaign of its own.",
  ),
  streaks: words(
    "streaks",
    "streaks",
    "streak",
    "Streaks",
    Flame,
    "A streak counts how many days, weeks or months in a row a player has kept at something, and rewards milestones on the way.",
  ),
  leaderboards: words(
    "leaderboards",
    "leaderboards",
    "leaderboard",
    "Leaderboards",
    Trophy,
    "A leaderboard ranks players, or their teams, by what they did, for all time, by the week or for a season; with leagues if you like.",
  ),
  segments: words(
    "segments",
    "segments",
    "segment",
    "Segments",
    Users,
    "A segment names a group of players by a rule, such as everybody who spent 100 in the last 30 days, for audiences to use.",
  ),
  marketplaceItems: words(
    "marketplaceItems",
    "listings",
    "listing",
    "Listings",
    Tag,
    "A listing is what the shop offers: a price in points, what one gets for it, and how many there are.",
  ),
  marketplaceCollections: words(
    "marketplaceCollections",
    "listing-collections",
    "listing collection",
    "Listing collections",
    LayoutGrid,
    "A collection shows chosen listings in an order of yours, such as a shelf of the shop.",
  ),
  catalogItems: words(
    "catalogItems",
    "catalog-items",
    "catalog item",
    "Catalog items",
    Gift,
    "A catalog item is something your own systems hand out, such as a free coffee; the service tells them by webhook who is owed one.",
  ),
  pointsValuations: words(
    "pointsValuations",
    "valuations",
    "valuation",
    "Points valuations",
    Coins,
    "A valuation says what a point is worth from a date on, so that what players hold can be priced.",
  ),
  events: words(
    "events",
    "events",
    "event",
    "Events",
    Activity,
    "An event is something players do that your backend tells us: an order, a visit, a review. Missions, streaks and boards count them.",
  ),
  metrics: words(
    "metrics",
    "metrics",
    "metric",
    "Metrics",
    Gauge,
    "A metric is something players add up, such as money spent or steps walked; each metric event adds to their total.",
  ),
  attributes: words(
    "attributes",
    "attributes",
    "attribute",
    "Attributes",
    Box,
    "An attribute is something that is true of a player until it changes: their tier, their city, their plan.",
  ),
  exchangeRates: words(
    "exchangeRates",
    "exchange-rates",
    "exchange rate",
    "Exchange rates",
    Percent,
    "A rate says what one unit of a currency is worth in the base currency, so that amounts can be added up.",
  ),
};
