import type { Listing } from "../../model/definitions/compiled.ts";
import { explainPurchase } from "../../model/marketplace/explain.ts";
import type { PurchaseEligibility } from "../../model/marketplace/eligibility.ts";
import type { TrialStep, TrialSummary } from "./shapes.ts";
import { plural } from "../../model/kernel/thousands.ts";
import { itemText } from "../../model/rules/reward.ts";
import { line, ownStep, type Scene } from "./steps.ts";

/** The answer that a purchase would get now. */
export function tryListing(
  { now, words, itemName }: Scene,
  listing: Listing,
  isKnown: boolean,
  eligibility: PurchaseEligibility,
): { steps: TrialStep[]; summary: TrialSummary; rewards: string[] } {
  const { refusal, checks } = explainPurchase(listing, isKnown, eligibility, now, words);
  const lines = checks.map(({ isMet, text }) => line(isMet, text));
  const handed = listing.contents.map(({ catalogItemKey, value }) => itemText(itemName(catalogItemKey), value));
  const items = [
    { label: "Price", value: plural(listing.priceInPoints, "point"), fraction: null, isDone: null },
    { label: "Balance", value: plural(eligibility.balance, "point"), fraction: null, isDone: null },
  ];
  if (refusal !== null) {
    const failed = checks.find(({ isMet }) => isMet === false);
    const headline = `The purchase is refused: ${failed?.text ?? "it cannot be bought"} (${refusal}).`;
    return { steps: [ownStep("Remark", now, "The purchase is refused", lines)], summary: { headline, tone: "warn", items }, rewards: [] };
  }
  const left = plural(eligibility.balance - listing.priceInPoints, "point");
  const after = { label: "Balance after", value: left, fraction: null, isDone: null };
  const summary: TrialSummary = { headline: "The purchase goes through.", tone: "good", items: [...items, after] };
  return { steps: [ownStep("Remark", now, "The purchase goes through", lines, handed)], summary, rewards: handed };
}
