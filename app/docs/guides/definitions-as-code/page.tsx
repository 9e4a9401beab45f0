import Link from "next/link";
import { CodeBlock } from "#web/docs/code/code-block.tsx";
import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { DocsSection, Table } from "#web/docs/text.tsx";
import { GuideStep } from "#web/docs/guides/shown.tsx";
import { SCENARIO } from "#web/docs/guides/samples.ts";
import { asCodeSteps } from "#web/docs/guides/commands.ts";

export const metadata = { title: "Definitions as code" };

const PLAN = `+ events refund_made
~ missions first_order
    rewards/0: 50 points → 75 points
- missions summer_2025 (switched off)
Plan: 1 to add, 1 to change, 1 to switch off.`;

const STEPS: readonly [step: string, does: string][] = [
  [
    "`event`, `metric`, `attribute`",
    "As if your backend had sent it now, or with `at` another `occurredAt`. `times` and `every` repeat it.",
  ],
  [
    "`read: missions`, `accept`, `buy`",
    "As the app does, with the key of a mission or a listing. `refused` is the code of a refusal that is expected.",
  ],
  ["`wait`, `until`", "Moves the clock forward, by a duration or to an instant; leaderboards are settled on the way."],
];

const EXPECTED: readonly [what: string, form: string][] = [
  ["`missions`", "`Available`, `InProgress`, `Completed`, `Locked`, `Hidden`, or `{ status, progress, completed }`."],
  ["`points`, `items`", "The balance; the items granted or bought so far, by catalog item."],
  ["`streaks`", "The length, or `{ current, longest, qualifies, freezes }`."],
  ["`leaderboards`", "The rank, or `{ rank, score, team }`."],
  ["`segments`, `marketplaceItems`", "`true` or `false`; the listing's status."],
  ["`webhooks`", "All webhooks since the last expectation, in any order: a name, or `{ event, missionKey, … }`."],
];

export default function DefinitionsAsCode() {
  const steps = asCodeSteps();
  return (
    <DocsPage
      href="/docs/guides/definitions-as-code"
      lead={<p>Keep missions, the shop, leaderboards and all other definitions as files in git: review a change, plan it, apply it.</p>}
    >
      <DocsSection id="begin" title="Where you begin">
        <p>
          If another team runs the service, log in once: <code>engagement login --url https://engagement.example.com</code>. Then{" "}
          <code>engagement …</code> does what <code>npm run --silent cli -- …</code> does here, beside the service, and needs neither{" "}
          <code>--project</code> nor <code>--environment</code>: a login is for one environment.{" "}
          <Link href="/docs/command-line">The command line</Link> tells how to install it.
        </p>
      </DocsSection>
      <DocsSection id="pull" title="1. Pull the definitions">
        <p>
          <code>pull</code> writes what an environment defines into a folder: <code>settings.json</code>, and a file for each definition
          such as <code>missions/first_order.json</code>. With a name that ends in <code>.json</code> it writes one file instead. Pulling
          again rewrites only files with other content. Uploaded images come into the folder <code>images/</code> beside them, and{" "}
          <code>plan</code> and <code>apply</code> take them along.
        </p>
        <GuideStep of={steps.pull} />
        <p>
          What a file may contain is in <Link href="/docs/definitions">The definitions file</Link>. Its JSON Schema is served at{" "}
          <code>/definitions.schema.json</code>: name that address as <code>$schema</code> at the top of a file, and an editor completes and
          checks it.
        </p>
      </DocsSection>
      <DocsSection id="plan" title="2. Plan, then apply">
        <p>
          <code>validate</code> checks shapes, references and rules without a service. It exits with 1 where anything is wrong, with a line
          for each problem.
        </p>
        <GuideStep of={steps.validate} />
        <p>
          <code>plan</code> shows what applying would change, and changes nothing. It exits with 2 if there are changes, and with 0 if there
          are none.
        </p>
        <GuideStep of={steps.plan} />
        <CodeBlock title="A plan" code={PLAN} />
        <p>
          <code>apply</code> makes the change, all or nothing. On a terminal it asks first; <code>--yes</code> goes ahead.
        </p>
        <GuideStep of={steps.apply} />
      </DocsSection>
      <DocsSection id="test" title="Test the rules">
        <p>
          A scenario is a list of things that happen to a player, and of expected results. The engine of the service runs it in memory, in
          milliseconds, without a service: <code>{"*.scenarios.yaml"}</code> beside the definitions.
        </p>
        <CodeBlock title="coffee.scenarios.yaml" code={SCENARIO} />
        <GuideStep of={steps.test} />
        <p>
          Each difference is printed with both values and the reason; the exit code is then 1. <em>Try it</em> in the dashboard saves what
          it shows as a scenario.
        </p>
        <Table head={["Step", "What happens"]} rows={STEPS} />
        <Table head={["Expected", "Form"]} rows={EXPECTED} />
      </DocsSection>
      <DocsSection id="two-people" title="Two people">
        <p>
          <code>plan --out plan.json</code> writes the plan, and <code>apply plan.json</code> does what it says while nothing has changed
          since. <code>plan</code> and <code>apply</code> of files name the later changes by others that they would undo.{" "}
          <code>plan --markdown</code> prints the plan for a pull request.
        </p>
      </DocsSection>
      <DocsSection id="prune" title="What the files leave out">
        <p>
          It stays as it is. With <code>--prune</code>, definitions missing from a list are switched off; lists that are in no file stay as
          they are. Definitions by which players earned something are never deleted.
        </p>
      </DocsSection>
      <DocsSection id="ci" title="In a pipeline">
        <p>
          Give the command line the service and a token for one environment: <code>ENGAGEMENT_URL</code> and <code>ENGAGEMENT_TOKEN</code>.
          A plan needs the Viewer role, so pull requests need no token that can write; an apply needs the Editor role.{" "}
          <code>docs/examples/definitions.yml</code> is a workflow for GitHub Actions that validates and plans on a pull request, and
          applies on merge. To take the Sandbox to Live instead, see <Link href="/docs/guides/going-live">Going live</Link>.
        </p>
      </DocsSection>
    </DocsPage>
  );
}
