import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { Note, DocsSection, Table } from "#web/docs/text.tsx";
import { ReceiverTabs, GuideStep } from "#web/docs/guides/shown.tsx";
import { webhookSteps } from "#web/docs/guides/commands.ts";

export const metadata = { title: "Receiving webhooks" };

const WAITS = ["immediately", "5 seconds", "5 minutes", "30 minutes", "2 hours", "5 hours", "10 hours", "10 hours"];

const ANSWERS = [
  ["2xx, complete within 15 seconds", "Delivered, whatever the body says."],
  ["4xx, but 408 and 429", "Given up immediately, not retried."],
  ["408, 429, 5xx, a redirect, no answer", "Sent again, eight attempts in all. A `Retry-After` is respected, up to 24 hours."],
];

export default function ReceivingWebhooks() {
  const steps = webhookSteps();
  return (
    <DocsPage
      href="/docs/guides/webhooks"
      lead={
        <p>
          The service tells your system what happened with signed POSTs: a mission was completed, an item is owed. Verify, store, answer;
          then do the work.
        </p>
      }
    >
      <DocsSection id="register" title="Register an endpoint">
        <p>
          An endpoint belongs to one environment and has a secret of its own, which is shown once. Register it in the dashboard under{" "}
          <em>Webhooks</em>, or on the command line:
        </p>
        <GuideStep of={steps.register} />
        <ul>
          <li>Give the final URL: redirects are not followed.</li>
          <li>
            Private and local addresses are refused. For a receiver on your own machine,{" "}
            <code>engagement listen --forward-to http://localhost:4000/hooks</code> posts signed copies of a Sandbox's webhooks to it; a
            service of your own can also be started with <code>WEBHOOK_ALLOW_PRIVATE_ADDRESSES=true</code>.
          </li>
          <li>
            One endpoint of an environment receives <code>catalog_item.fulfillment_requested</code>, so that nothing is handed over twice.
            The other events can go to as many as you like.
          </li>
          <li>
            <em>Ping</em> in the dashboard sends a signed delivery at any time and shows your endpoint's response.
          </li>
        </ul>
      </DocsSection>
      <DocsSection id="verify" title="Verify and store">
        <p>
          Anyone can send a POST to your endpoint. Deliveries are signed as <strong>Standard Webhooks</strong> say, so its libraries verify
          them, the age of the delivery included. These receivers are complete:
        </p>
        <ReceiverTabs />
        <p>
          Without a library: the key is the base64 part of the secret after <code>whsec_</code>; the signature is the base64 HMAC-SHA256
          over <code>webhook-id</code>, a full stop, <code>webhook-timestamp</code>, a full stop, and the body.{" "}
          <code>webhook-signature</code> holds one or more of the form <code>v1,…</code>, separated by spaces: one that fits is enough.
          Compare in constant time, and refuse timestamps that are more than five minutes away.
        </p>
        <p>
          Numbers are exact in the body, with up to 20 digits before the decimal point and 8 after it. Most JSON parsers, those of the
          libraries included, read them as floating point, which is exact up to 15 digits. Where you need more, store the body and read it
          with a decimal type.
        </p>
      </DocsSection>
      <DocsSection id="once" title="Count each delivery once: duplicates">
        <p>
          A delivery may be a duplicate: your answer may have been lost on the way. Its <code>deliveryId</code> (also in{" "}
          <code>webhook-id</code>) is the same on every attempt, so a unique column is enough. The order of deliveries is not guaranteed;
          use <code>occurredAtUtc</code>.
        </p>
        <p>
          An owed item names its source: the items of one completion or one purchase share their <code>sourceId</code>, which is the
          mission&apos;s <code>occurrenceId</code> or the <code>purchaseId</code>. Do not count by these: after a Sandbox reset, or the
          erasure of a player, a new player of the same id may earn again under the same ids. A <code>deliveryId</code> never comes again
          for anything else.
        </p>
      </DocsSection>
      <DocsSection id="answer" title="Response">
        <Table head={["Your answer", "What follows"]} rows={ANSWERS} />
        <p>The wait before each attempt, plus up to a tenth more:</p>
        <ol className="flex list-none flex-wrap gap-1.5 p-0">
          {WAITS.map((wait, index) => (
            <li key={index} className="m-0 rounded-full border border-line py-0.5 pr-3 pl-2 text-[0.8125rem]">
              <span aria-hidden className="mr-2 text-quiet tabular-nums">
                {index + 1}
              </span>
              {wait}
            </li>
          ))}
        </ol>
        <Note title="Deploying? Answer 503, never 404">
          <p>
            A 404 from a server that is just being replaced ends the delivery. After a 503 it is retried. An endpoint that has only failed
            for five days is switched off, and the dashboard says so.
          </p>
        </Note>
        <p>
          While an endpoint is switched off, by you or after five days, its deliveries are held. When it is switched on again they are sent,
          oldest first, with the same ids. You can discard held deliveries; after 30 days they are given up.
        </p>
        <p>
          Deliveries of <code>mission.completed</code> and <code>catalog_item.fulfillment_requested</code> that were given up can be resent
          under <b>Developers → Deliveries</b>, one or all that failed since an instant; those of other events cannot. Items of reversed
          purchases are only resent one by one.
        </p>
        <p>
          The dashboard keeps each attempt with the headers and the first 16 KiB of a failed response for 30 days. Owners and Admins are
          mailed when an endpoint has failed for an hour or a day, and when it is switched off; each member can change that in their
          account.
        </p>
      </DocsSection>
      <DocsSection id="rotate" title="Change the secret">
        <p>
          Rotate it in the dashboard. For 24 hours every delivery carries two signatures, by the old secret and by the new one, and the
          libraries accept either: put the new secret in place within that time, and nothing is lost. Rotating again within the 24 hours
          ends the older of the two immediately.
        </p>
      </DocsSection>
      <DocsSection id="events" title="The events">
        <p>
          <a href="/docs/webhooks">The reference of webhooks</a> has every event with the members of its body.
        </p>
      </DocsSection>
    </DocsPage>
  );
}
