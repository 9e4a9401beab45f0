import { advance } from "../../engine/advance.ts";
import type { Definitions, Listing } from "../../model/definitions/compiled.ts";
import type { Player } from "../../model/kernel/player.ts";
import { type Status, statusOf } from "../../model/marketplace/eligibility.ts";
import { isIn } from "../../model/rules/audience.ts";
import { nothingMoves } from "../simulation/narrowed.ts";
import { addItems, audienceInTime, inTime, type Outcome, type Playable, type Window } from "./play.ts";

/** Why the draft would refuse a real purchase. Stock is not considered, since all players share it. */
export const REFUSALS = ["NotEligible", "PurchaseLimitReached", "InsufficientBalance"] as const satisfies readonly Status[];

/**
 * Replays the real purchases of a listing with the draft's price, audience and limit. The balance is the real one, corrected by the
 * difference in price of these purchases. A player could have afforded the listing if they were in the audience and their balance reached
 * the price at some instant. Purchases that never happened are not invented.
 */
export function playableListing(definitions: Definitions, listing: Listing, { from, to }: Window): Playable {
  const audience = audienceInTime(definitions, listing.audience);
  const only = { ...nothingMoves(definitions), rollupsByEvent: audience.rollupsByEvent };
  return {
    reads: audience.asks,
    asks: audience.asks,
    asOfToday: audience.asOfToday,
    readsLedger: true,
    readsPurchasesOf: listing.id,
    play(subject) {
      const { player: today, before, ledger, purchases } = subject;
      const known = new Map(purchases.map((one) => [one.id, one]));
      const bought = new Map<string, number>();
      const count = (round: string) => bought.set(round, (bought.get(round) ?? 0) + 1);
      for (const { round, at, isReversed } of purchases) if (at < from && !isReversed) count(round);
      const balance = ledger.reduce((left, { amount }) => left - amount, today.balance);
      let player: Player = audience.begin({ ...today, balance }, before);
      const outcome: Outcome = { isQualified: false, isEntered: false, completions: [], items: new Map(), lacks: [] };
      const look = (at: number) => {
        player = audience.at(player, at);
        const isEligible = isIn(player, listing.audience);
        outcome.isQualified ||= isEligible;
        outcome.isEntered ||= isEligible && player.balance >= listing.priceInPoints;
        return isEligible;
      };
      const buy = (at: number, round: string) => {
        const eligibility = { isEligible: look(at), sold: 0, bought: bought.get(round) ?? 0, balance: player.balance };
        const refusal = REFUSALS.findIndex((one) => one === statusOf({ ...listing, stock: null }, eligibility));
        if (refusal >= 0) return void outcome.lacks.push(refusal);
        count(round);
        outcome.completions.push({ at, points: listing.priceInPoints, tookMs: null });
        addItems(outcome.items, listing.contents);
        player = { ...player, balance: player.balance - listing.priceInPoints };
      };
      look(from);
      for (const { fact, entry, at } of inTime(subject)) {
        if (at > to) break;
        if (fact !== undefined) {
          player = advance(player, only, [fact]).player;
        } else if (entry !== undefined) {
          const purchase = entry.purchaseId === null ? undefined : known.get(entry.purchaseId);
          // A reversed purchase is left out, with its refund.
          if (purchase?.isReversed === true && purchase.at >= from) continue;
          if (purchase !== undefined && !purchase.isReversed) buy(at, purchase.round);
          else player = { ...player, balance: player.balance + entry.amount };
        }
        look(at);
      }
      return outcome;
    },
  };
}
