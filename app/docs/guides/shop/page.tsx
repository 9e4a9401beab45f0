import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { Note, DocsSection } from "#web/docs/text.tsx";
import { SetUp, GuideStep } from "#web/docs/guides/shown.tsx";
import { shopSteps } from "#web/docs/guides/shop-steps.ts";

export const metadata = { title: "The shop" };

export default function Shop() {
  const steps = shopSteps(Date.now());
  return (
    <DocsPage
      href="/docs/guides/shop"
      lead={
        <p>
          Let players spend their points: show the listings on sale, buy exactly once, and deliver the items. The API calls a listing a
          marketplace item.
        </p>
      }
    >
      <DocsSection id="before" title="Before you begin">
        <SetUp />
        <p>
          A purchase needs a player whom the environment knows. Events and mission reads create players; here one is created directly and
          given points by an adjustment, which needs a reason and is in the ledger.
        </p>
        <GuideStep of={steps.player} />
        <GuideStep of={steps.gift} />
      </DocsSection>
      <DocsSection id="read" title="Show the shop">
        <p>
          The answer has the listings on sale now, oldest first, with what each means for this player. It is a plain read: nothing is
          created or reserved.
        </p>
        <GuideStep of={steps.shop} isExcerpt />
        <p>
          <code>status</code> names the first thing in the way: <code>NotEligible</code>, then <code>OutOfStock</code>, then{" "}
          <code>PurchaseLimitReached</code>, then <code>InsufficientBalance</code>, and otherwise <code>Purchasable</code>. Stock and limits
          count by period; <code>occurrenceNumber</code> says which one this is.
        </p>
      </DocsSection>
      <DocsSection id="buy" title="Buy">
        <p>
          One request buys one unit: it takes the points, the stock and the player&apos;s limit together, or nothing at all. Generate the{" "}
          <code>idempotencyKey</code> <strong>before</strong> the first attempt, and keep it with the checkout.
        </p>
        <GuideStep of={steps.buy} />
        <p>
          Send the same request again, for example after a timeout, and you get the original purchase; <code>remainingBalance</code> is the
          balance now. Three units are three requests with three keys.
        </p>
      </DocsSection>
      <DocsSection id="refusals" title="When it is refused">
        <p>The shop on the screen may be a minute old. The purchase decides, and its code says why not:</p>
        <GuideStep of={steps.tooDear} isExcerpt />
        <p>
          A key belongs to one purchase of one item. Adjustments and purchases of a player share their keys, so one that was used for
          anything else is a conflict:
        </p>
        <GuideStep of={steps.conflict} isExcerpt />
        <Note title="What to retry">
          <p>
            Of these only <a href="/docs/errors#points.concurrent_update">points.concurrent_update</a> is worth retrying unchanged. Every
            other 409 is final: read the shop again and show the player what changed. A failed attempt does not use up the key.
          </p>
        </Note>
      </DocsSection>
      <DocsSection id="hand-over" title="Hand it over">
        <p>
          The service keeps points; you hand over what they buy. For each entry of <code>contents</code> your endpoint receives a webhook{" "}
          <a href="/docs/webhooks#catalog_item.fulfillment_requested">catalog_item.fulfillment_requested</a>, whose <code>sourceId</code> is
          the <code>purchaseId</code>. <a href="/docs/guides/webhooks">Receiving webhooks</a> shows how to receive it.
        </p>
        <p>Purchases stay as they were, even if the listing changes:</p>
        <GuideStep of={steps.history} />
        <p>
          Reverse a purchase in the dashboard, under <b>Purchases</b> or on the player's page, or on the command line with{" "}
          <code>purchase reverse</code>. That refunds the price, returns the unit to stock and frees the player's limit. What you have
          already handed over stays with the player.
        </p>
      </DocsSection>
    </DocsPage>
  );
}
