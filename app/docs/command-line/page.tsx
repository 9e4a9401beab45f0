import Link from "next/link";
import { CodeBlock } from "#web/docs/code/code-block.tsx";
import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { DocsSection, Table } from "#web/docs/text.tsx";
import { COMMANDS } from "#server/model/command-line/commands.ts";

export const metadata = { title: "The command line" };

const INSTALL = `npx --package @engagement-service/cli engagement login --url https://engagement.example.com
npm install --global @engagement-service/cli   # then from anywhere: engagement --help
npm run --silent cli -- --help                 # in the folder of the service`;

export default function CommandLine() {
  return (
    <DocsPage
      href="/docs/command-line"
      lead={
        <p>
          <code>engagement</code> does from a terminal or a pipeline what people do in the dashboard. It needs Node.js 22.13 or newer. Every
          command has <code>--help</code>.
        </p>
      }
    >
      <DocsSection id="install" title="Installing it">
        <CodeBlock title="Shell" language="shell" code={INSTALL} />
        <p>
          Where the package is not published, <code>npm pack --workspace packages/cli</code> in the folder of the service builds it: use the
          file&apos;s path instead of the name.
        </p>
      </DocsSection>
      <DocsSection id="service" title="Which service it calls">
        <p>
          <code>--url</code> and <code>--token</code> take precedence over <code>ENGAGEMENT_URL</code> and <code>ENGAGEMENT_TOKEN</code>,
          and these over the service that you last logged in to. A token is for one project, so <code>--project</code> may be left out; so
          may <code>--environment</code> if the token is for one environment. Some commands work only <strong>beside the database</strong>:
          run these where the service runs. With a token for tests, <code>ENGAGEMENT_PROJECT</code> or <code>--project</code> names the test
          project.
        </p>
      </DocsSection>
      <DocsSection id="output" title="Output and exit codes">
        <p>
          Data goes to standard output, messages to standard error. Lists are tables on a terminal and tab-separated lines in a pipe;{" "}
          <code>--json</code> prints JSON. The exit code is 0 for success, 1 for a failure or a wrong argument, and 2 for a plan with
          changes.
        </p>
      </DocsSection>
      {COMMANDS.map(({ title, id, rows }) => (
        <DocsSection key={id} id={id} title={title}>
          <Table
            head={["Command", "Does"]}
            rows={rows.map(([command, does]) => [<code className="whitespace-nowrap">{command}</code>, does])}
          />
        </DocsSection>
      ))}
      <DocsSection id="more" title="Next steps">
        <p>
          <Link href="/docs/guides/definitions-as-code">Definitions as code</Link> shows pull, plan and apply.{" "}
          <code>docs/command-line.md</code> in the service&apos;s folder has every command with its options and what it prints.
        </p>
      </DocsSection>
    </DocsPage>
  );
}
