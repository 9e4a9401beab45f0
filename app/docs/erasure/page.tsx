import Link from "next/link";
import { CodeBlock } from "#web/docs/code/code-block.tsx";
import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { commandLine } from "#web/docs/guides/exchange.ts";
import { Note, DocsSection } from "#web/docs/text.tsx";

export const metadata = { title: "Erasing a player" };

const ERASE = commandLine('player erase --project acme --environment live --id customer-1042 --reason "Asked by mail"');

export default function Erasure() {
  return (
    <DocsPage
      href="/docs/erasure"
      lead={
        <p>
          Erase a player for good when they ask for it, as the GDPR requires, and export their data: what is deleted, what stays, and how.
        </p>
      }
    >
      <DocsSection id="erase" title="Erase a player">
        <p>
          An Admin opens the player in the dashboard and chooses <b>Erase player</b>, or uses the command line. It asks for the
          player&apos;s id and a reason, which the audit log keeps. An erasure cannot be undone.
        </p>
        <CodeBlock title="Shell" language="shell" code={ERASE} />
        <p>
          It is one transaction: all or nothing. While a leaderboard&apos;s period is being settled it is refused with that reason; try
          again a moment later.
        </p>
      </DocsSection>
      <DocsSection id="goes" title="What is deleted">
        <ul>
          <li>The id and the name, attributes, events, progress of missions, streaks, and scores of running periods.</li>
          <li>Webhook deliveries about the player, sent or not, and the logged requests and imported lines about them.</li>
          <li>Their details in the audit log, except the author, the action and the time of each change.</li>
        </ul>
      </DocsSection>
      <DocsSection id="stays" title="What stays without a name">
        <p>
          Points, purchases, completions, items owed and settled scores stay under a random owner, without reasons and idempotency keys. So
          sums, stock and the ranks and prizes of others still hold, and reports keep their figures.
        </p>
        <p>
          The external id is free afterwards: if you send it again, it creates a new player, unrelated to the erased one.{" "}
          <a href="/docs/guides/webhooks#once">Count webhooks</a> by their <code>deliveryId</code>: a <code>sourceId</code> may repeat.
        </p>
        <Note title="Your own systems">
          <p>Webhooks that were delivered before the erasure are in your systems; the service cannot recall them.</p>
        </Note>
      </DocsSection>
      <DocsSection id="backups" title="After a backup is restored">
        <p>
          A restored backup contains erased players. Keep the list that <code>player erasures</code> prints apart from the backups, and give
          it to <code>player repeat-erasures</code> after restoring. It has derived keys and no names.
        </p>
      </DocsSection>
      <DocsSection id="export" title="Export a player">
        <p>
          <b>Export as JSON</b> on the player&apos;s page downloads all data about them as JSON, and adds an entry to the audit log. More
          about players is in <Link href="/docs/api/players">the API reference</Link>.
        </p>
      </DocsSection>
    </DocsPage>
  );
}
