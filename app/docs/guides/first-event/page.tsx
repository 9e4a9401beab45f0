import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { Note, DocsSection } from "#web/docs/text.tsx";
import { SetUp, GuideStep } from "#web/docs/guides/shown.tsx";
import { firstEventSteps } from "#web/docs/guides/first-event-steps.ts";

export const metadata = { title: "Your first event" };

export default function FirstEvent() {
  const steps = firstEventSteps(Date.now());
  return (
    <DocsPage
      href="/docs/guides/first-event"
      lead={<p>From no player to a completed mission and its points in four requests. It takes about five minutes.</p>}
    >
      <DocsSection id="before" title="Before you begin">
        <SetUp />
        <p>
          A key belongs to one environment, Sandbox or Live, and that is the only way to choose between them: there is no parameter and no
          second address. It can write everything in its environment, so it stays on your server.
        </p>
      </DocsSection>
      <DocsSection id="enter" title="1. Read the player's missions">
        <p>
          Players are known by your own ids; there is nothing to register. Reading the missions of a player enters them into those that are
          open to them, and from then on their events count. So read missions <strong>when a user signs up</strong> and whenever you show
          them.
        </p>
        <GuideStep of={steps.enter} isExcerpt />
        <p>
          <code>take</code> keeps the answer short here: without it you get every mission of the coffee shop. The player <code>amy</code> is
          new, so the service created her.
        </p>
      </DocsSection>
      <DocsSection id="send" title="2. Send what happened">
        <p>
          An event names a player, a key that is defined in the environment, and the instant at which it happened. Its properties are typed.
          Give each event an <code>idempotencyKey</code>, such as the order's id in your system, so that a repeated request counts once.
        </p>
        <GuideStep of={steps.send} />
        <p>
          A batch carries up to 1,000 events and costs little more than one. Its items are independent of each other:{" "}
          <strong>a 200 does not mean that all were accepted</strong>: check <code>rejected</code>.
        </p>
      </DocsSection>
      <DocsSection id="read" title="3. See the mission completed">
        <p>
          Events are processed a moment later, usually within a second. Completion, points and webhooks are one transaction: no mission is
          completed without its points.
        </p>
        <GuideStep of={steps.balance} />
        <p>The balance is the sum of a ledger that says where each point came from:</p>
        <GuideStep of={steps.transactions} isExcerpt />
      </DocsSection>
      <DocsSection id="repeat" title="4. Send it again safely">
        <p>
          A network can fail after a request has arrived. Send the same event again and you get the first answer, with the same{" "}
          <code>eventId</code>. Nothing is counted twice. Without a key it would be a second order.
        </p>
        <GuideStep of={steps.again} />
      </DocsSection>
      <DocsSection id="mistakes" title="When something is wrong">
        <p>
          A rejected item says why, with a stable <code>code</code>. The others of its batch are not affected.
        </p>
        <GuideStep of={steps.mistaken} isExcerpt />
        <p>
          A request that is refused as a whole is answered with a <a href="/docs/errors">problem document</a>, which lists all of its
          problems together.
        </p>
        <Note title="The event was accepted, but the mission did not move?">
          <p>
            Events count for a player from the moment the mission was first returned to them, and for opt-in missions from when they accept.
            An event sent earlier raises no error and changes nothing. Read the missions first.
          </p>
          <p>
            In the dashboard, <b>Developers → Events</b> lists the events as sent, with the effects of each and the missing ones, and why.
          </p>
        </Note>
      </DocsSection>
    </DocsPage>
  );
}
