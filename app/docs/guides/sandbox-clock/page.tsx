import type { Metadata } from "next";
import { Page } from "#web/docs/frame/docs-page.tsx";
import { Note } from "#web/docs/text/note.tsx";
import { Section } from "#web/docs/text/section.tsx";
import { SetUp } from "#web/docs/guides/set-up.tsx";
import { ShownCommand } from "#web/docs/guides/shown-command.tsx";
import { ShownExchange } from "#web/docs/guides/shown-exchange.tsx";
import { clockSteps } from "#web/docs/guides/sandbox-clock/steps.ts";

export const metadata: Metadata = { title: "Testing with the Sandbox clock" };

export default function SandboxClock() {
  const steps = clockSteps(Date.now());
  return (
    <Page
      href="/docs/guides/sandbox-clock"
      lead={
        <p>
          A streak breaks tomorrow, a league settles on Monday, a mission repeats next month. Move the clock of your Sandbox and see it now.
        </p>
      }
    >
      <Section id="how" title="How it works">
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
      </Section>
      <Section id="before" title="Before you begin">
        <SetUp />
      </Section>
      <Section id="streak" title="Grow a streak, and break it">
        <p>An order today starts a streak of one day:</p>
        <ShownExchange of={steps.today} isExcerpt />
        <ShownExchange of={steps.afterOne} isExcerpt />
        <p>A day later, another order:</p>
        <ShownCommand of={steps.dayLater} />
        <ShownExchange of={steps.tomorrow} isExcerpt />
        <ShownExchange of={steps.afterTwo} isExcerpt />
        <p>Then two days without one. The streak is over; the longest is kept:</p>
        <ShownCommand of={steps.twoDaysLater} />
        <ShownExchange of={steps.broken} isExcerpt />
      </Section>
      <Section id="settle" title="Let a league settle">
        <p>
          A month further on, several weeks of the league have ended. Each has settled: ranks are final, players have moved between tiers,
          prizes are granted and webhooks are sent.
        </p>
        <ShownCommand of={steps.monthLater} />
        <ShownExchange of={steps.settled} isExcerpt />
      </Section>
      <Section id="reset" title="Start over">
        <p>A reset deletes the players of a Sandbox with everything they have. Definitions and the clock stay.</p>
        <ShownCommand of={steps.reset} />
        <Note title="In automated tests">
          <p>
            Give each test its own players, and one Sandbox serves them all. Only tests that move the clock have to run one after another:
            all players of the environment share it.
          </p>
        </Note>
      </Section>
    </Page>
  );
}
