import { CodeBlock } from "#web/docs/code/code-block.tsx";
import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { DocsSection, Note } from "#web/docs/text.tsx";
import { CI, CONFIG, SET_UP, SPEC } from "#web/docs/guides/samples.ts";

export const metadata = { title: "Testing your integration" };

export default function Testing() {
  return (
    <DocsPage
      href="/docs/guides/testing"
      lead={
        <p>
          A testing kit for Playwright and vitest gives each worker a project of its own, with its own players, clock and webhooks. Tests
          run in parallel and never sleep.
        </p>
      }
    >
      <DocsSection id="begin" title="Set it up">
        <p>
          It needs a service and a token for tests: <em>Project → Tokens</em>, environment <em>Test projects only</em>. Or start a service
          for tests, which prints both: its image, as <a href="#ci">below</a>, or <code>engagement serve --ephemeral</code> in a checkout.{" "}
          <code>docs/testing.md</code> lists everything the kit has, and the same for pytest and JUnit.
        </p>
        <CodeBlock title="Shell" language="shell" code={SET_UP} />
        <p>With Playwright it needs one setting:</p>
        <CodeBlock title="playwright.config.ts" language="typescript" code={CONFIG} />
        <p>
          <code>definitions</code> is a folder of definitions files, or one file: take one from a service with{" "}
          <code>engagement definitions pull definitions</code>, and keep it beside the tests. Its path begins in the folder in which you run
          the tests.
        </p>
      </DocsSection>
      <DocsSection id="write" title="Write a test">
        <CodeBlock title="orders.spec.ts" language="typescript" code={SPEC} />
        <ul>
          <li>
            <code>settled()</code> returns when everything that was accepted has been applied. No test needs to sleep.
          </li>
          <li>
            <code>webhooks.next(…)</code> waits for a webhook and checks its signature. If none comes, the error lists those that did. They
            arrive over the test's own connection, so you need no tunnel and no public address.
          </li>
          <li>
            <code>clock.advance(&quot;P1D&quot;)</code> moves this project&apos;s clock alone, and returns when all work due until then has
            run.
          </li>
          <li>
            <code>engagement.url</code> and <code>engagement.key</code> are what your app is started with.
          </li>
        </ul>
      </DocsSection>
      <DocsSection id="ci" title="In CI">
        <p>A service for tests runs beside the job; its token may be any that you give both:</p>
        <CodeBlock title=".github/workflows/test.yml" code={CI} />
        <p>
          To test against a service that is running already, take <code>ENGAGEMENT_URL</code> and <code>ENGAGEMENT_TOKEN</code> from your
          secrets. Each run removes what it made; the service removes what a killed run left behind.
        </p>
      </DocsSection>
      <DocsSection id="without" title="Without the kit">
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
          <p>Its clock does not move, nothing is reset, and everything sent there counts for your customers.</p>
        </Note>
      </DocsSection>
      <DocsSection id="dashboard" title="Testing the dashboard">
        <p>
          Buttons, fields and tables of the dashboard have roles and names. Find them as people do, by <code>getByRole</code> and{" "}
          <code>getByLabel</code>; classes and the structure of the page change without notice.
        </p>
      </DocsSection>
    </DocsPage>
  );
}
