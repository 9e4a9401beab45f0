import type { Metadata } from "next";
import { CodeBlock } from "../../code/code-block.tsx";
import { Page } from "../../frame/docs-page.tsx";
import { Note } from "../../text/note.tsx";
import { Section } from "../../text/section.tsx";

export const metadata: Metadata = { title: "Going live" };

const PROMOTE = `# What would change, without changing it:
npm run --silent cli -- definitions promote --project acme --from sandbox --to live --dry-run

npm run --silent cli -- definitions promote --project acme --from sandbox --to live`;

const KEY = "npm run --silent cli -- api-key create --project acme --environment live --name backend";

const ENDPOINT = `npm run --silent cli -- webhook create --project acme --environment live \\
  --url https://example.com/hooks \\
  --events mission.completed,catalog_item.fulfillment_requested`;

export default function GoingLive() {
  return (
    <Page
      href="/docs/guides/going-live"
      lead={
        <p>
          Sandbox and Live share nothing but their project. Four steps bring over what you have built, and a list says what to look at
          before.
        </p>
      }
    >
      <Section id="promote" title="1. Promote the definitions">
        <p>
          The dashboard shows what differs between Sandbox and Live, field by field, and takes over what you choose together with what it
          depends on. The command line does the same for all of it. Nothing is written where anything is wrong.
        </p>
        <CodeBlock title="Shell" language="shell" code={PROMOTE} />
        <p>
          Some things cannot change once they are made: keys, and of a mission its objectives, their order, the opt-in and the recurrence.
          Get those right in the Sandbox; prices, rewards and texts can follow later.
        </p>
      </Section>
      <Section id="key" title="2. Make a Live key">
        <p>
          It begins with <code>svc_live_</code> and is shown once. Put it where your other secrets are, and nowhere that a browser or an app
          can read: it is full write access, points included. Revoking a key holds from the next request on.
        </p>
        <CodeBlock title="Shell" language="shell" code={KEY} />
        <p>Nothing else in your code changes: same address, same requests.</p>
      </Section>
      <Section id="endpoint" title="3. Register the Live endpoint">
        <p>
          Endpoints and their secrets belong to one environment. Register it before the first event: an item that is owed while nobody
          subscribes is sent to nobody. <em>Ping</em> it from the dashboard.
        </p>
        <CodeBlock title="Shell" language="shell" code={ENDPOINT} />
      </Section>
      <Section id="enter" title="4. Let your players in">
        <p>
          Events count from the first mission read on. Before you send events of existing customers, read the missions of each of them once,
          with no more than 16 requests under way. Then send events in batches.
        </p>
        <Note title="History does not fill missions">
          <p>
            What happened before somebody entered a mission does not count for it, on purpose. It does count for who can take part:
            conditions over history see every event that was applied.
          </p>
        </Note>
      </Section>
      <Section id="checklist" title="Before you switch over">
        <ul className="docs-checklist">
          <li>
            Every event has an <strong>idempotency key</strong> from your own system, and so has every purchase and adjustment.
          </li>
          <li>
            You look at <code>rejected</code> of every batch, and somebody sees the codes.
          </li>
          <li>
            You send again after <code>429</code>, <code>500</code>, <code>503</code> and time-outs, waiting as long as{" "}
            <code>Retry-After</code> says or a little longer each time; and after no other refusal than those marked so in the{" "}
            <a href="/docs/errors">error reference</a>.
          </li>
          <li>
            You have at most <strong>16 requests</strong> at once, Sandbox and Live together; 8 more wait, what is beyond is answered 429.
          </li>
          <li>Numbers that need every digit are read with a decimal type. Identifiers are sent as strings.</li>
          <li>You switch on codes, statuses and kinds, and have an answer to one that you do not know yet.</li>
          <li>
            Your endpoint verifies signatures, knows a <code>deliveryId</code> again, and answers 503 while it is being deployed.
          </li>
          <li>
            You pass <code>traceparent</code> on, or log the <code>traceId</code> of problems: with it a request is found in our logs.
          </li>
          <li>
            History reads have a <code>Take</code>. Without one they return everything.
          </li>
        </ul>
      </Section>
      <Section id="after" title="On the day">
        <p>
          Send one event of a player of your own and follow it: the batch accepted, the mission moved, the points there, the webhook
          received. Then let your customers in.
        </p>
      </Section>
    </Page>
  );
}
