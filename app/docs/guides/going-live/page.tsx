import Link from "next/link";
import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { Note, DocsSection } from "#web/docs/text.tsx";
import { GuideStep } from "#web/docs/guides/shown.tsx";
import { goingLiveSteps } from "#web/docs/guides/commands.ts";

export const metadata = { title: "Going live" };

export default function GoingLive() {
  const steps = goingLiveSteps();
  return (
    <DocsPage
      href="/docs/guides/going-live"
      lead={
        <p>Sandbox and Live share only their project. Take what you have built to Live in four steps, after checking the list below.</p>
      }
    >
      <DocsSection id="promote" title="1. Promote the definitions">
        <p>
          <em>Promote</em> in the Sandbox shows what differs from Live, changed definitions first, and promotes what you select together
          with its dependencies, after a review that names everything. The command line does the same for all of it. If anything is wrong,
          nothing is written. A project can ask for a second person: see <Link href="/docs/guides/approvals">Approvals for Live</Link>.
        </p>
        <GuideStep of={steps.promote} />
        <p>
          Some things cannot change once they are created: keys, and a mission's objectives, their order, the opt-in and how it repeats. Get
          those right in the Sandbox; prices, rewards and texts can change later.
        </p>
      </DocsSection>
      <DocsSection id="key" title="2. Create a Live key">
        <p>
          It begins with <code>svc_live_</code> and is shown once. Put it where your other secrets are, and nowhere that a browser or an app
          can read: it is full write access, points included. A revoked key stops working immediately.
        </p>
        <GuideStep of={steps.key} />
        <p>Nothing else in your code changes: same address, same requests.</p>
      </DocsSection>
      <DocsSection id="endpoint" title="3. Register the Live endpoint">
        <p>
          Endpoints and their secrets belong to one environment. Register it before the first event: an item owed while no endpoint
          subscribes is not sent. <em>Ping</em> it from the dashboard.
        </p>
        <GuideStep of={steps.endpoint} />
      </DocsSection>
      <DocsSection id="enter" title="4. Let your players in">
        <p>
          Events count from the first mission read. Before you send events of existing customers, read the missions of each of them once,
          with at most 16 requests at a time. Then send events in batches.
        </p>
        <p>
          Or bring them as files: <b>Import data</b> in the dashboard takes players, attributes, past events and points, checks each file
          first, and can enter their players into missions before it applies the events.
        </p>
        <Note title="History does not fill missions">
          <p>
            Events from before a player entered a mission do not count for it, by design. They do count for its audience: conditions over
            history see every event.
          </p>
        </Note>
      </DocsSection>
      <DocsSection id="checklist" title="Before you switch over">
        <ul className="list-none p-0 [&>li]:relative [&>li]:mt-2.5 [&>li]:pl-7 [&>li]:before:absolute [&>li]:before:top-1 [&>li]:before:left-0 [&>li]:before:size-4 [&>li]:before:rounded [&>li]:before:border [&>li]:before:border-line-strong">
          <li>
            Every event has an <strong>idempotency key</strong> from your own system, and so has every purchase and adjustment.
          </li>
          <li>
            You look at <code>rejected</code> of every batch, and log the codes.
          </li>
          <li>
            You retry after <code>408</code>, <code>429</code>, <code>500</code>, <code>503</code> and time-outs, waiting as long as{" "}
            <code>Retry-After</code> says, or a little longer each time, and after no other refusal except those marked so in the{" "}
            <a href="/docs/errors">error reference</a>.
          </li>
          <li>
            At most <strong>16 requests</strong> of yours run concurrently, Sandbox and Live together. 8 more wait, Live’s first; the rest
            are answered 429.
          </li>
          <li>Numbers that need every digit are read with a decimal type. Identifiers are sent as strings.</li>
          <li>You switch on codes, statuses and kinds, and handle one that you do not know yet.</li>
          <li>
            Your endpoint verifies signatures, knows a <code>deliveryId</code> again, and answers 503 while it is being deployed.
          </li>
          <li>
            You pass <code>traceparent</code> on, or log the <code>traceId</code> of problems: it finds a request in our logs.
          </li>
          <li>
            History reads have a <code>Take</code>. Without one they return everything.
          </li>
        </ul>
      </DocsSection>
      <DocsSection id="after" title="On launch day">
        <p>
          Send one event for a test player and follow it: the batch accepted, the mission moved, the points granted, the webhook received.
          Then let your customers in.
        </p>
        <p>
          Where a step is missing, the dashboard says why. <b>Developers → Requests</b> has every refusal, <b>Developers → Events</b> what
          each event changed and did not change, and <b>Developers → Deliveries</b> every attempt of every webhook; failed ones can be
          resent there. The home page lists what needs attention: failing endpoints, events in quarantine, stock that runs out.
        </p>
      </DocsSection>
    </DocsPage>
  );
}
