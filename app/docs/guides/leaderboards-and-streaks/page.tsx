import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { Note, DocsSection } from "#web/docs/text.tsx";
import { SetUp, GuideStep } from "#web/docs/guides/shown.tsx";
import { boardSteps } from "#web/docs/guides/boards-steps.ts";

export const metadata = { title: "Leaderboards and streaks" };

export default function LeaderboardsAndStreaks() {
  const steps = boardSteps(Date.now());
  return (
    <DocsPage
      href="/docs/guides/leaderboards-and-streaks"
      lead={<p>Rankings and runs of days, both from the events that you already send.</p>}
    >
      <DocsSection id="before" title="Before you begin">
        <SetUp />
        <p>
          Other players see a name, never an id, so give players one. The time zone decides when their day ends, which streaks depend on.
        </p>
        <GuideStep of={steps.player} />
        <p>Then two customers order:</p>
        <GuideStep of={steps.send} isExcerpt />
      </DocsSection>
      <DocsSection id="boards" title="List the leaderboards">
        <p>Every board that the player may see, with their own place on it. Where others play too, as in the demo, the ranks differ.</p>
        <GuideStep of={steps.boards} isExcerpt />
        <p>
          <code>me</code> is null without a score. <code>participants</code> counts the rows of the board that is shown: players, teams, or
          in a league the players of the group.
        </p>
      </DocsSection>
      <DocsSection id="standings" title="Show the standings">
        <p>
          <code>top</code> is the head of the board, <code>around</code> the player between their neighbours. <code>PlayerIds</code> ranks
          up to 100 players of your choice among themselves, for a list of friends.
        </p>
        <GuideStep of={steps.standings} isExcerpt />
        <p>
          Equal scores share a rank, and the next rank is skipped: 1, 2, 2, 4. Among equals, the player who reached the score first is
          listed first.
        </p>
      </DocsSection>
      <DocsSection id="periods" title="Periods and leagues">
        <p>
          An event belongs to the period in which it happened. A period settles a few minutes after its end, once everything received until
          then is counted: ranks are final, prizes are granted, and{" "}
          <a href="/docs/webhooks#leaderboard.period_closed">leaderboard.period_closed</a> goes out. Read it with <code>Previous=true</code>
          ; until the first period has settled, the answer is a <a href="/docs/errors#leaderboard.no_settled_period">404</a>.
        </p>
        <p>
          In a league the board is the player&apos;s group. The first <code>promotes</code> of a group move up a tier when the period
          settles, the last <code>relegates</code> move down, and <code>outcome</code> of the previous period tells each player how it
          ended.
        </p>
      </DocsSection>
      <DocsSection id="streaks" title="Streaks">
        <p>A streak is the number of periods in a row in which a player did something: ordered every day, spent ten euros every week.</p>
        <GuideStep of={steps.streaks} isExcerpt />
        <ul>
          <li>
            <code>endsAtUtc</code> is when the streak ends unless the player qualifies again: show a countdown to it.
          </li>
          <li>
            <code>isQualifiedThisPeriod</code> says whether the player has qualified in the current period.
          </li>
          <li>
            <code>freezesAvailable</code>: each keeps the streak alive over one missed period. Players earn them as the streak grows.
          </li>
          <li>
            <code>nextMilestone</code> is the length that earns the next reward. Reaching it sends{" "}
            <a href="/docs/webhooks#streak.milestone_reached">streak.milestone_reached</a>.
          </li>
        </ul>
        <Note title="Late events repair streaks">
          <p>
            An event that arrives late counts for the day on which it happened, and can repair a broken streak. Its milestones are still
            granted only once.
          </p>
        </Note>
      </DocsSection>
    </DocsPage>
  );
}
