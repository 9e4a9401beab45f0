import { ArrowRight } from "lucide-react";
import Link from "next/link";
import { DocsPage } from "../../web/docs/frame/docs-page.tsx";
import { CHAPTERS } from "../../web/docs/navigation.ts";
import { RequestBlock } from "../../web/docs/code/code-block.tsx";
import { firstEventSteps } from "../../web/docs/guides/first-event-steps.ts";
import { DocsSection } from "../../web/docs/text.tsx";

const guides = CHAPTERS.find(({ title }) => title === "Guides")!.entries;

export default function DocsOverview() {
  const { send } = firstEventSteps(Date.now());
  return (
    <DocsPage
      href="/docs"
      title="Missions, points and rewards for your product"
      lead={
        <p>
          Your backend sends events about its users. The service tracks their progress, credits points, and asks your system by signed
          webhook to hand out what they earned. You read it all back as JSON.
        </p>
      }
    >
      <RequestBlock title="An event" request={send} />
      <DocsSection id="begin" title="Where to start">
        <ul className="grid list-none grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-3 p-0">
          {guides.map(({ href, title, about }) => (
            <li key={href} className="m-0">
              <Link
                href={href}
                prefetch={false}
                className="group grid h-full content-start gap-0.5 rounded-[10px] border border-line px-4 py-3.5 text-sm text-ink no-underline hover:border-line-strong hover:bg-raised"
              >
                <span className="flex items-center justify-between gap-2 text-[0.9375rem] font-semibold">
                  {title}
                  <span className="sr-only">: </span>
                  <ArrowRight aria-hidden className="size-4 transition-transform group-hover:translate-x-0.5" />
                </span>
                <span className="text-quiet">{about}</span>
              </Link>
            </li>
          ))}
        </ul>
      </DocsSection>
      <DocsSection id="idea" title="How it fits together">
        <p>
          <Link href="/docs/concepts">Concepts</Link> shows how an event becomes a reward, step by step.
        </p>
        <ul>
          <li>
            <strong>Players</strong> are known by your own ids and are created automatically.
          </li>
          <li>
            You send <strong>events</strong>, <strong>metrics</strong> and <strong>attributes</strong>: things that happened, running
            totals, and facts about a player.
          </li>
          <li>
            <strong>Missions</strong>, <strong>streaks</strong> and <strong>leaderboards</strong> follow from them. People author them in
            the <a href="/dashboard">dashboard</a>; the API never edits a definition.
          </li>
          <li>
            <strong>Points</strong> are a ledger inside the service. <strong>Items</strong> are yours to hand over, when a webhook asks you
            to.
          </li>
          <li>
            <strong>Sandbox and Live</strong> have their own keys, players and definitions. The key chooses.
          </li>
        </ul>
      </DocsSection>
      <DocsSection id="reference" title="Reference">
        <ul>
          <li>
            <Link href="/docs/api">API reference</Link>: every endpoint with its parameters, answers and refusals.
          </li>
          <li>
            <Link href="/docs/webhooks">Webhooks</Link>: the deliveries to your endpoints.
          </li>
          <li>
            <Link href="/docs/errors">Errors</Link>: every code and its remedy.
          </li>
          <li>
            <a href="/v1/openapi.json">/v1/openapi.json</a>: the same for machines. <a href="/llms.txt">/llms.txt</a>: these pages for
            language models; each is there as Markdown, at its address with <code>.md</code>.
          </li>
          <li>
            <Link href="/docs/operating">Operating</Link>: settings, health, metrics and backups.
          </li>
          <li>
            <Link href="/docs/changelog">Changelog</Link>: changes, and the parts that stay stable.
          </li>
        </ul>
      </DocsSection>
    </DocsPage>
  );
}
