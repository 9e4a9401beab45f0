import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { Note, DocsSection, Table } from "#web/docs/text.tsx";
import { SetUp, GuideStep } from "#web/docs/guides/shown.tsx";
import { missionSteps, PROGRESS_KINDS, MISSION_STATUSES } from "#web/docs/guides/missions-steps.ts";

export const metadata = { title: "Missions" };

export default function MissionsGuide() {
  const steps = missionSteps(Date.now());
  return (
    <DocsPage
      href="/docs/guides/missions"
      lead={<p>Show missions to a player, let them accept opt-in missions, and follow their progress as events arrive.</p>}
    >
      <DocsSection id="before" title="Before you begin">
        <SetUp />
        <p>
          Missions are created in the dashboard, not through the API: their objectives, rewards, audience and availability. Your backend
          sends events and reads the result.
        </p>
      </DocsSection>
      <DocsSection id="read" title="Read the feed">
        <p>
          One request returns the player's missions and enters them into those that have opened. That is why it is a POST: do not cache it,
          and do not call it in a loop.
        </p>
        <GuideStep of={steps.read} isExcerpt />
        <Table head={["status", "Meaning"]} rows={MISSION_STATUSES} />
        <p>
          Missions in progress and on offer come first, in the order they were made, then completed and locked ones; so a <code>take</code>{" "}
          never cuts off something that the player could act on in favour of something locked.
        </p>
      </DocsSection>
      <DocsSection id="accept" title="Accept an offer">
        <p>
          An <em>opt-in</em> mission is <code>Available</code> until your player accepts it. No event counts before that. Accepting twice
          does nothing, and it cannot be undone.
        </p>
        <GuideStep of={steps.accept} />
        <p>Only offered missions can be accepted, and an offer can close. The code tells which:</p>
        <GuideStep of={steps.neverOffered} isExcerpt />
      </DocsSection>
      <DocsSection id="progress" title="Show progress">
        <p>Two orders, of which one is over 10, the amount that this mission asks for:</p>
        <GuideStep of={steps.send} isExcerpt />
        <p>
          With <code>includeCompleted</code> the feed has every completed occurrence too. Here the orders have moved one mission and
          completed another:
        </p>
        <GuideStep of={steps.progress} isExcerpt />
        <p>
          Switch on <code>progress.kind</code> to draw an objective. Use <code>isSatisfied</code> to tell whether it is met: once satisfied,
          an objective stays satisfied, even if its value falls again.
        </p>
        <Table head={["kind", "Meaning", "Draw"]} rows={PROGRESS_KINDS} />
      </DocsSection>
      <DocsSection id="eligibility" title="Who can take part">
        <p>
          A mission can be for specific players only: gold members, regulars, those who completed another mission. The others see it as{" "}
          <code>Locked</code> or not at all, as you chose. Send what you know about a player as attributes:
        </p>
        <GuideStep of={steps.attribute} />
        <p>
          The player enters at their <strong>next mission read</strong>, not before. This request also asks for Dutch; texts without a Dutch
          translation come in their default language.
        </p>
        <GuideStep of={steps.unlocked} isExcerpt />
        <p>
          Is a player not in a mission? On the player's page in the dashboard, the tab <b>Missions</b> lists every other mission with the
          reason. <b>Try it</b> on the mission's page plays a player's latest events against it.
        </p>
      </DocsSection>
      <DocsSection id="launch" title="Before and after a launch">
        <p>
          <b>Try it</b> has a tab <b>All players</b>: it replays the last 7 to 90 days of your players with a draft and says how many would
          complete it, how often, what the points and items cost a week, how long it takes and where the others stop. Where there are more
          players than it plays, figures have a 95% interval. Attributes and balances are those of today, since earlier ones are not stored.
          A pipeline gets the same as JSON: <code>engagement definitions backtest</code>.
        </p>
        <p>
          Streaks, listings and leaderboards have the tab as well. A <b>listing</b> replays the real purchases and balances with the draft's
          price, audience and limit: who could have afforded it, which real purchases would still have gone through, and why the others
          would not. It makes up no purchases, so a lower price may sell more than it says, and a higher one less. A <b>leaderboard</b>{" "}
          ranks all players in each period that lies wholly in the days, and gives the draft's prizes.
        </p>
        <p>
          To know afterwards whether it changed anything, add a <b>share</b> to the audience, such as 90% of players. <b>Results</b> then
          compares those in the share with those held out: active days, events, the event that matters, points and purchases, each with a
          95% interval. It compares all players of the share, whether they took part or not; other conditions of the audience make the
          difference smaller. Without a share it compares the same players before and after the mission began, up to four weeks each, which
          proves nothing. Below it is the cost: points and items, with a share also per additional event once there clearly are more.
        </p>
      </DocsSection>
      <DocsSection id="collections" title="Collections">
        <p>
          A collection is a set of missions in an order of its own, for a page such as “Getting started”. It may hold missions that the feed
          leaves out. Reading it enters the player as the feed does.
        </p>
        <GuideStep of={steps.collection} isExcerpt />
      </DocsSection>
      <DocsSection id="repeating" title="Missions that repeat">
        <ul>
          <li>
            <strong>By the calendar</strong> (day, week from Monday, month): in the player&apos;s time zone, or else the project&apos;s. An
            unfinished occurrence ends with its period. Once a player has been shown the mission it continues automatically: the next
            mission read, or the first event of the new period, enters the new one. An opt-in mission is offered and accepted in each
            period.
          </li>
          <li>
            <strong>After completion</strong>: the next mission read after the completion, and its cooldown if it has one, enters the next
            occurrence.
          </li>
        </ul>
        <p>
          <code>occurrenceNumber</code> counts from 0 and tells them apart. Set a player&apos;s zone with <code>timeZoneId</code> in{" "}
          <a href="/docs/api/players#savePlayer">POST /v1/players</a>.
        </p>
        <Note title="Show a mission once">
          <p>
            Nothing counts for a player who was never shown a mission. Read the missions when your app opens: from then on a daily mission
            counts what happens each day, whether the app is opened or not.
          </p>
        </Note>
      </DocsSection>
    </DocsPage>
  );
}
