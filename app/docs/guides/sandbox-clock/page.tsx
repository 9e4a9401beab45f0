import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { Note, DocsSection } from "#web/docs/text.tsx";
import { SetUp, GuideStep } from "#web/docs/guides/shown.tsx";
import { clockSteps } from "#web/docs/guides/sandbox-clock-steps.ts";

export const metadata = { title: "Testing with the Sandbox clock" };

export default function SandboxClockGuide() {
  const steps = clockSteps(Date.now());
  return (
    <DocsPage
      href="/docs/guides/sandbox-clock"
      lead={
        <p>
          A streak breaks tomorrow, a league settles on Monday, a mission repeats next month. Move the clock of your Sandbox and see it now.
        </p>
      }
    >
      <DocsSection id="how" title="How it works">
        <p>
          A Sandbox has a clock of its own. It can be moved forward, never back, in the dashboard or on the command line. Everything that
          depends on time uses it: days, periods, availability, repeats, every <code>…AtUtc</code>. Scheduled work runs on the way, in
          order, as if the time had passed.
        </p>
        <p>
          From then on every answer to a Sandbox key says what time it is there, in the header <code>X-Sandbox-Time</code>. Take{" "}
          <code>occurredAt</code> from it, and your events happen “now” for the Sandbox. Webhook retries go by real time, and so does Live,
          always.
        </p>
      </DocsSection>
      <DocsSection id="before" title="Before you begin">
        <SetUp />
      </DocsSection>
      <DocsSection id="streak" title="Grow a streak, and break it">
        <p>An order today starts a streak of one day:</p>
        <GuideStep of={steps.today} isExcerpt />
        <GuideStep of={steps.afterOne} isExcerpt />
        <p>A day later, another order:</p>
        <GuideStep of={steps.dayLater} />
        <GuideStep of={steps.tomorrow} isExcerpt />
        <GuideStep of={steps.afterTwo} isExcerpt />
        <p>Then two days without one. The streak is over; the longest is kept:</p>
        <GuideStep of={steps.twoDaysLater} />
        <GuideStep of={steps.broken} isExcerpt />
      </DocsSection>
      <DocsSection id="settle" title="Let a league settle">
        <p>
          A month further on, several weeks of the league have ended. Each has settled: ranks are final, players have moved between tiers,
          prizes are granted and webhooks are sent.
        </p>
        <GuideStep of={steps.monthLater} />
        <GuideStep of={steps.settled} isExcerpt />
      </DocsSection>
      <DocsSection id="reset" title="Start over">
        <p>A reset deletes the players of a Sandbox with everything they have. Definitions and the clock stay.</p>
        <GuideStep of={steps.reset} />
        <Note title="In automated tests">
          <p>
            Give each test its own players, and one Sandbox serves them all. Only tests that move the clock have to run one after another:
            all players of the environment share it.
          </p>
        </Note>
      </DocsSection>
    </DocsPage>
  );
}
