import type { Metadata } from "next";
import { CodeBlock } from "#web/docs/code/code-block.tsx";
import { Page } from "#web/docs/frame/docs-page.tsx";
import { Note } from "#web/docs/text/note.tsx";
import { Section } from "#web/docs/text/section.tsx";
import { CI, CONFIG, SPEC } from "#web/docs/guides/testing/sample.ts";

export const metadata: Metadata = { title: "Testing your integration" };

export default function Testing() {
  return (
    <Page
      href="/docs/guides/testing"
      lead={
        <p>
          A testing kit for Playwright and vitest gives each worker a project of its own, with its own players, clock and webhooks. Tests
          run in parallel and wait for nothing but the result.
        </p>
      }
    >
      <Section id="begin" title="Set it up">
        <p>
          The kit is part of this repository, under <code>testing/</code>. <code>docs/testing.md</code> says how to install it and lists
          everything it has. With Playwright it needs one line of configuration:
        </p>
        <CodeBlock title="playwright.config.ts" language="typescript" code={CONFIG} />
        <p>
          <code>engagement.json</code> is a definitions file: export one from the dashboard or with <code>definitions export</code>, and
          keep it beside the tests.
        </p>
      </Section>
      <Section id="write" title="Write a test">
        <CodeBlock title="orders.spec.ts" language="typescript" code={SPEC} />
        <ul>
          <li>
            <code>settled()</code> returns when everything that was accepted has been applied. No test needs to sleep.
          </li>
          <li>
            <code>webhooks.next(…)</code> waits for a delivery and checks its signature. When none comes it says what did.
          </li>
          <li>
            <code>clock.advance(&quot;P1D&quot;)</code> moves this project&apos;s clock alone, and returns when all that fell due on the way
            is done.
          </li>
          <li>
            <code>engagement.url</code> and <code>engagement.key</code> are what your app is started with.
          </li>
        </ul>
      </Section>
      <Section id="ci" title="In CI">
        <p>The setup starts the service with an embedded PostgreSQL, so a job needs nothing but Node and a browser:</p>
        <CodeBlock title=".github/workflows/test.yml" code={CI} />
        <p>
          To test against a service that is running already, set <code>ENGAGEMENT_URL</code> and <code>ENGAGEMENT_TOKEN</code>. The token
          has to be one for test projects (<code>token create --environment tests</code>). Each run removes what it made; the service
          removes what a killed run left behind.
        </p>
      </Section>
      <Section id="without" title="Without the kit">
        <p>Any HTTP client and a Sandbox key will do:</p>
        <ul>
          <li>Give each test players of its own, with random ids. Tests of one Sandbox then do not see each other.</li>
          <li>
            Events are applied a moment after they were accepted. Ask again for what you expect until it is there; never sleep for a fixed
            time.
          </li>
          <li>
            All players of a Sandbox share its clock: tests that <a href="/docs/guides/sandbox-clock">move it</a> run one after another.
          </li>
          <li>
            A definitions file in your repository keeps Sandbox and tests alike: <code>definitions import</code> before the tests,{" "}
            <code>environment reset</code> to begin anew.
          </li>
        </ul>
        <Note title="Never test against Live">
          <p>Its clock does not move, nothing is reset, and what is sent there counts for your customers.</p>
        </Note>
      </Section>
      <Section id="dashboard" title="Testing the dashboard">
        <p>
          Buttons, fields and tables of the dashboard have roles and names. Find them as people do, by <code>getByRole</code> and{" "}
          <code>getByLabel</code>; classes and the structure of the page change without notice.
        </p>
      </Section>
    </Page>
  );
}
