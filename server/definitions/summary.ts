import type { Numeric } from "../kernel/decimal.ts";
import type { Shaped } from "./contract.ts";
import type { Stored } from "./stored.ts";

/** What a list shows of a definition besides its name: plain data, by the name of the column. Numbers that must be exact are texts. */
export type Summary = Record<string, string | number | boolean | null>;

const exact = (number: Numeric): string => String(number);

const everyOf = (recurrence: { kind: string; every?: string }): string => recurrence.every ?? recurrence.kind;

const rewardsOf = (rewards: Shaped<"missions">["rewards"]): Summary => ({
  points: rewards.reduce((sum, reward) => sum + (reward.kind === "Points" ? reward.points : 0), 0),
  items: rewards.filter(({ kind }) => kind === "CatalogItem").length,
});

export function summaryOf(stored: Stored): Summary {
  switch (stored.kind) {
    case "events":
      return { properties: stored.shaped.properties.length, discovered: stored.discovered };
    case "metrics":
      return { metricKind: stored.shaped.kind, properties: stored.shaped.properties.length };
    case "exchangeRates":
      return { rate: exact(stored.shaped.rate) };
    case "attributes":
      return { type: stored.shaped.type, discovered: stored.discovered };
    case "segments":
      return {};
    case "catalogItems":
      return { valueType: stored.shaped.valueType, icon: iconOf(stored.shaped.images) };
    case "missions":
      return ofMission(stored.shaped);
    case "missionCollections":
      return { members: stored.shaped.missions.length, icon: iconOf(stored.shaped.images) };
    case "streaks":
      return ofStreak(stored.shaped);
    case "leaderboards":
      return ofLeaderboard(stored.shaped);
    case "marketplaceItems":
      return ofListing(stored.shaped);
    case "marketplaceCollections":
      return { members: stored.shaped.items.length, icon: iconOf(stored.shaped.images) };
    case "pointsValuations":
      return { points: stored.shaped.points, amount: exact(stored.shaped.amount), currency: stored.shaped.currency };
  }
}

/** The picture that stands for a definition in a list: the slot "icon", or else the first one; a URL, or the id of an image. */
export const iconOf = (images: Record<string, string>): string | null => images.icon ?? Object.values(images)[0] ?? null;

const ofMission = ({ recurrence, optIn, objectives, rewards, window, appearsIn, audience, images }: Shaped<"missions">): Summary => ({
  recurrence: everyOf(recurrence),
  optIn,
  objectives: objectives.length,
  ...rewardsOf(rewards),
  appearsIn,
  hasAudience: audience.rule !== null,
  startsAt: window.startsAt,
  endsAt: window.endsAt,
  icon: iconOf(images),
});

const ofStreak = ({ cadence, event, metric, freezes, milestones, images }: Shaped<"streaks">): Summary => ({
  cadence,
  source: event ?? metric,
  freezes: freezes?.max ?? 0,
  milestones: milestones.length,
  icon: iconOf(images),
});

const ofLeaderboard = (board: Shaped<"leaderboards">): Summary => ({
  source: board.scoreSource,
  sourceKey: board.event ?? board.metric ?? board.attribute,
  period: everyOf(board.period),
  startsAt: board.period.kind === "Season" ? board.period.startsAt : null,
  endsAt: board.period.kind === "Season" ? board.period.endsAt : null,
  hasLeague: board.league !== null,
  prizes: board.prizes.length,
  icon: iconOf(board.images),
});

const ofListing = (listing: Shaped<"marketplaceItems">): Summary => ({
  price: listing.priceInPoints,
  stock: listing.stock,
  limitPerPlayer: listing.limitPerPlayer,
  recurrence: everyOf(listing.recurrence),
  appearsIn: listing.appearsIn,
  hasAudience: listing.audience.rule !== null,
  startsAt: listing.onSale.startsAt,
  endsAt: listing.onSale.endsAt,
  icon: iconOf(listing.images),
});
