import { instantInWords } from "../../model/kernel/dates.ts";
import { formatted, plural } from "../../model/kernel/thousands.ts";
import type { Leaderboard, Listing } from "../../model/definitions/compiled.ts";
import type { Audience } from "../../model/rules/audience.ts";
import type { Condition } from "../../model/rules/condition.ts";
import { leaves } from "../../model/rules/tree.ts";
import type { Window } from "./play.ts";
import type { BacktestedOne } from "./playable.ts";

interface Circumstances extends Window {
  /** The start of the requested window. */
  wished: number;
  zone: string;
  gaps: { purgedBefore: number | null; erased: number };
  sample: { players: readonly unknown[]; population: number; first: object | null; strata: readonly { size: number }[] };
  late: number;
  leftOut: number;
  isWhole: boolean;
  one: BacktestedOne;
  periods?: { draft: number } | null;
}

const players = (count: number): string => (count === 1 ? "1 player" : `${formatted(count)} players`);

/** The assumptions and gaps of a backtest, in sentences. */
export function notesOn({ entry, from, wished, zone, gaps, sample, late, leftOut, isWhole, one, periods }: Circumstances): string[] {
  const notes: string[] = [];
  const began = instantInWords(from, zone);
  switch (one.kind) {
    case "streaks":
      notes.push(`Assumes that the streak began on ${began}. Runs from before then are not continued.`);
      break;
    case "missions":
      notes.push(
        entry === "WindowStart"
          ? `Assumes that everyone opened the mission on ${began}, and again before each of their events that it or its audience counts. Every offer is accepted.`
          : "Assumes that players open the mission just before each of their events that it counts. Every offer is accepted.",
        ...(one.given.window.startsAt !== null || one.given.window.endsAt !== null ? ["The mission's own start and end are ignored."] : []),
        ...notesOnToday(
          one.given.audience,
          one.given.objectives.some(({ criteria }) => criteria.some(({ source }) => source === "Attribute")),
        ),
      );
      break;
    case "marketplaceItems":
      notes.push(...notesOnListing(one.given));
      break;
    case "leaderboards":
      notes.push(...notesOnBoard(one.given, periods?.draft ?? 0, began));
      break;
  }
  const idle = Math.round(sample.strata[0]?.size ?? 0);
  if (idle > 0) notes.push(`${players(idle)} had no event in this time.`);
  if (sample.players.length < sample.population)
    notes.push(
      `Estimated from ${players(sample.players.length)} of ${sample.first === null ? "" : "about "}${formatted(sample.population)}, chosen at random by how active they are.`,
    );
  if (from > wished) notes.push(`Older events were deleted by the retention setting, so the days begin on ${began}.`);
  if (gaps.erased > 0) notes.push(`${players(gaps.erased)} erased in this time ${gaps.erased === 1 ? "is" : "are"} not included.`);
  if (late > 0) notes.push(`${plural(late, "imported event")}: played at the time of occurrence, not of the import.`);
  if (leftOut > 0) notes.push(`${players(leftOut)} with too many events to read ${leftOut === 1 ? "is" : "are"} left out.`);
  if (!isWhole) notes.push("It ran out of time: the figures cover the players reached by then, and their intervals are wider.");
  return notes;
}

function notesOnListing({ audience, stock, onSale }: Listing): string[] {
  return [
    "Assumes that players would have bought what they really bought, if this price, audience and limit had let them. Players who could newly afford it are counted, but no purchases are made up for them: a lower price may sell more than this, and a higher one less.",
    "Balances are the real ones, but for what these purchases would have cost more or less. Other purchases are unchanged.",
    ...(stock === null ? [] : ["The stock is not applied: all players share it."]),
    ...(onSale.startsAt === null && onSale.endsAt === null ? [] : ["The listing's own start and end are ignored."]),
    ...notesOnToday(audience, false, true),
  ];
}

function notesOnBoard({ audience, league, teamAttributeId, scoreSource }: Leaderboard, periods: number, began: string): string[] {
  return [
    periods === 0
      ? "No period lies wholly in these days, so no prize was given. Try more days."
      : `Counts ${plural(periods, "period")} that ${periods === 1 ? "lies" : "lie"} wholly in these days. Players are ranked by what they really did: prizes might have changed that.`,
    ...(league === null ? [] : [`Assumes that the league began on ${began}, with all players in the lowest tier.`]),
    ...(scoreSource === "Points" ? ["Points are those that missions and streaks really granted."] : []),
    ...notesOnToday(audience, teamAttributeId !== null),
  ];
}

/** Inputs whose present value is used, since earlier values are not stored. */
function notesOnToday({ rule }: Audience, readsAttributes: boolean, knowsBalances = false): string[] {
  const asked = rule === null ? [] : leaves<Condition>(rule);
  const today = [
    ...(readsAttributes || asked.some(({ kind }) => kind === "attribute") ? ["attributes"] : []),
    ...(!knowsBalances && asked.some(({ kind }) => kind === "balance") ? ["points balances"] : []),
    ...(asked.some(({ kind }) => kind === "missionCompleted") ? ["completed missions"] : []),
    ...(asked.some((leaf) => leaf.kind === "input" && "streak" in leaf.input) ? ["streaks"] : []),
  ];
  if (today.length === 0) return [];
  return [`Uses the ${new Intl.ListFormat("en").format(today)} that players have today: earlier ones are not stored.`];
}
