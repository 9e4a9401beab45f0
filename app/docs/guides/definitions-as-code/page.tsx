import type { Metadata } from "next";
import Link from "next/link";
import { CodeBlock } from "#web/docs/code/code-block.tsx";
import { Page } from "#web/docs/frame/docs-page.tsx";
import { Section } from "#web/docs/text/section.tsx";
import { ShownCommand } from "#web/docs/guides/shown-command.tsx";
import { asCodeSteps } from "#web/docs/guides/definitions-as-code/steps.ts";

export const metadata: Metadata = { title: "Definitions as code" };

const PLAN = `+ events refund_made
~ missions first_order
    rewards/0: 50 points → 75 points
- missions summer_2025 (switched off)
Plan: 1 to add, 1 to change, 1 to switch off.`;

export default function DefinitionsAsCode() {
  const steps = asCodeSteps();
  return (
    <Page
      href="/docs/guides/definitions-as-code"
      lead={<p>Keep missions, the shop, leaderboards and all other definitions as files in git: review a change, plan it, apply it.</p>}
    >
      <Section id="pull" title="1. Pull what is there">
        <p>
          <code>pull</code> writes what an environment defines into a folder: <code>settings.json</code>, and a file for each definition
          such as <code>missions/first_order.json</code>. With a name that ends in <code>.json</code> it writes one file instead. Pulling
          again changes only the files that say something else.
        </p>
        <ShownCommand of={steps.pull} />
        <p>
          What may stand in a file is in <Link href="/docs/definitions">The definitions file</Link>. Its JSON Schema is served at{" "}
          <code>/definitions.schema.json</code>: name that address as <code>$schema</code> at the top of a file, and an editor completes and
          checks it.
        </p>
      </Section>
      <Section id="plan" title="2. Plan, then apply">
        <p>
          <code>validate</code> checks shapes, references and rules without a service. It exits with 1 where anything is wrong, with a line
          for each problem.
        </p>
        <ShownCommand of={steps.validate} />
        <p>
          <code>plan</code> shows what applying would change, and changes nothing. It exits with 2 where that is something, and with 0 where
          it is nothing.
        </p>
        <ShownCommand of={steps.plan} />
        <CodeBlock title="A plan" code={PLAN} />
        <p>
          <code>apply</code> makes the change, all or nothing. On a terminal it asks first; <code>--yes</code> goes ahead.
        </p>
        <ShownCommand of={steps.apply} />
      </Section>
      <Section id="prune" title="What the files leave out">
        <p>
          It stays as it is. With <code>--prune</code>, definitions that a list leaves out are switched off; a list that no file has is left
          alone. Nothing that a player earned by is ever deleted.
        </p>
      </Section>
      <Section id="ci" title="In a pipeline">
        <p>
          Give the command line the service and a token: <code>ENGAGEMENT_URL</code> and <code>ENGAGEMENT_TOKEN</code>, of the role Editor
          and for one environment. <code>docs/examples/definitions.yml</code> is a workflow for GitHub Actions that validates and plans on a
          pull request, and applies on merge. To take the Sandbox to Live instead, see{" "}
          <Link href="/docs/guides/going-live">Going live</Link>.
        </p>
      </Section>
    </Page>
  );
}
