import type { Definitions, Leaderboard, Listing, Mission, Prize, Streak } from "../../model/definitions/compiled.ts";
import type { StoredDefinitions } from "../../model/definitions/stored.ts";
import { wordsOf } from "../../model/definitions/words.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { pickText } from "../../model/kernel/texts.ts";
import { parseInstant } from "../../model/kernel/time.ts";
import { type Playable, playableMission, playableStreak, type Window } from "./play.ts";
import { playableBoard } from "./play-board.ts";
import { playableListing, REFUSALS } from "./play-listing.ts";
import type { BacktestedKind } from "../../model/backtests/result.ts";
import type { TallyContext } from "./tally.ts";

/** The compiled definition to play. */
export type BacktestedOne =
  | { kind: "missions"; given: Mission }
  | { kind: "streaks"; given: Streak }
  | { kind: "marketplaceItems"; given: Listing }
  | { kind: "leaderboards"; given: Leaderboard };

/** One of the definitions, ready to be played. */
export function playableOf(
  { definitions, stored }: { definitions: Definitions; stored: StoredDefinitions },
  kind: BacktestedKind,
  id: number,
  window: Window,
): Playable & { one: BacktestedOne; labels: readonly string[] } {
  switch (kind) {
    case "missions": {
      const given = byId(definitions.missions, id);
      const labels = wordsOf(stored, definitions.defaultLanguage, definitions.timeZone).objectivesOf(id);
      return { ...playableMission(definitions, given, window), one: { kind, given }, labels };
    }
    case "streaks": {
      const given = byId(definitions.streaks, id);
      return {
        ...playableStreak(definitions, given, window),
        one: { kind, given },
        labels: given.milestones.map(({ length }) => `Length ${length}`),
      };
    }
    case "marketplaceItems": {
      const given = byId(definitions.listings, id);
      return {
        ...playableListing(definitions, given, window),
        one: { kind, given },
        labels: REFUSALS.map((refusal) => REFUSAL_LABELS[refusal]),
      };
    }
    case "leaderboards": {
      const given = byId(definitions.leaderboards, id);
      return { ...playableBoard(definitions, given, window), one: { kind, given }, labels: given.prizes.map(ranksText) };
    }
  }
}

const ranksText = ({ fromRank, toRank }: Prize): string => (fromRank === toRank ? `Rank ${fromRank}` : `Ranks ${fromRank} to ${toRank}`);

const REFUSAL_LABELS = {
  NotEligible: "Not in the audience",
  PurchaseLimitReached: "The limit per player was reached",
  InsufficientBalance: "Not enough points",
} as const;

/** The saved definition; undefined if there is none. */
export function savedOf(definitions: Definitions, kind: BacktestedKind, id: number): BacktestedOne["given"] | undefined {
  const all: readonly BacktestedOne["given"][] = kind === "marketplaceItems" ? definitions.listings : definitions[kind];
  return all.find((one) => one.id === id);
}

function byId<One extends { id: number }>(all: readonly One[], id: number): One {
  const found = all.find((one) => one.id === id);
  if (found === undefined) throw new Error(`Definition ${id} is sound and not among the compiled ones.`);
  return found;
}

/** The zone, the items' names and the worth of points that hold at the end of the window. */
export function tallyContext(
  { lists }: StoredDefinitions,
  { timeZone, defaultLanguage }: Environment,
  { from, to }: Window,
): Omit<TallyContext, "labels"> {
  const names = new Map(lists.catalogItems.map(({ shaped }) => [shaped.key, pickText(shaped.name, defaultLanguage)]));
  const [worth] = lists.pointsValuations
    .map(({ shaped }) => ({ ...shaped, since: parseInstant(shaped.effectiveFrom) ?? Infinity }))
    .filter(({ active, since, points }) => active && since <= to && points > 0)
    .sort((a, b) => b.since - a.since);
  return {
    from,
    to,
    zone: timeZone,
    nameOfItem: (key) => names.get(key) ?? key,
    worth: worth === undefined ? null : { points: worth.points, amount: Number(worth.amount), currency: worth.currency },
  };
}
