import type { Metadata } from "next";
import Link from "next/link";
import { CodeBlock } from "#web/docs/code/code-block.tsx";
import { Page } from "#web/docs/frame/docs-page.tsx";
import { Section } from "#web/docs/text/section.tsx";
import { COMMANDS } from "#web/docs/command-line/commands.ts";

export const metadata: Metadata = { title: "The command line" };

const INSTALL = `npm run --silent cli -- --help              # in the folder of the service
npm install --global /path/to/that/folder   # then from anywhere: engagement --help`;

export default function CommandLine() {
  return (
    <Page
      href="/docs/command-line"
      lead={
        <p>
          <code>engagement</code> does from a terminal or a pipeline what people do in the dashboard. It needs Node 24 or newer. Every
          command has <code>--help</code>.
        </p>
      }
    >
      <Section id="install" title="Installing it">
        <CodeBlock title="Shell" language="shell" code={INSTALL} />
        <p>
          It is not on npm: the package of that name there is somebody else&apos;s. Install it from a checkout of the service, or from your
          git server.
        </p>
      </Section>
      <Section id="service" title="Which service it calls">
        <p>
          <code>--url</code> and <code>--token</code> go before <code>ENGAGEMENT_URL</code> and <code>ENGAGEMENT_TOKEN</code>, and these
          before the service that you last logged in to. A token is for one project, so <code>--project</code> may be left out; so may{" "}
          <code>--environment</code> where it is for one. Some commands work <strong>beside the database</strong> alone: run these where the
          service runs.
        </p>
      </Section>
      <Section id="output" title="Output and exit codes">
        <p>
          Data goes to standard output, words to standard error. Lists are tables on a terminal and lines with tabs in a pipe;{" "}
          <code>--json</code> prints JSON. The exit code is 0 where it is done, 1 where something failed or an argument is wrong, and 2
          where a plan would change something.
        </p>
      </Section>
      {COMMANDS.map(({ title, id, rows }) => (
        <Section key={id} id={id} title={title}>
          <table>
            <thead>
              <tr>
                <th scope="col">Command</th>
                <th scope="col">Does</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(([command, does]) => (
                <tr key={command}>
                  <td className="whitespace-nowrap">
                    <code>{command}</code>
                  </td>
                  <td>{does}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      ))}
      <Section id="more" title="Where to go on">
        <p>
          <Link href="/docs/guides/definitions-as-code">Definitions as code</Link> shows pull, plan and apply.{" "}
          <code>docs/command-line.md</code> in the service&apos;s folder has every command with its options and what it prints.
        </p>
      </Section>
    </Page>
  );
}
