import { CodeBlock } from "#web/docs/code/code-block.tsx";
import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { Note, DocsSection, Table } from "#web/docs/text.tsx";
import { HEALTH, METRICS, PROBES, PRODUCTION, WORKER } from "#web/docs/operating.ts";

export const metadata = { title: "Operating" };

export default function Operating() {
  return (
    <DocsPage
      href="/docs/operating"
      lead={<p>Run it on your own PostgreSQL: the settings that matter, health and metrics, backups, and remedies for problems.</p>}
    >
      <DocsSection id="shape" title="What runs">
        <p>
          One process is the whole service: the API, the dashboard and the worker that applies events and sends webhooks. PostgreSQL is the
          only place where state is kept, apart from one secret. Start as many processes as you like behind a load balancer; they share the
          work through the database and need not know of each other.
        </p>
        <CodeBlock title="Shell" language="shell" code={PRODUCTION} />
        <p>
          The start applies the migrations. Every process needs the same <code>DATABASE_URL</code>, <code>AUTH_SECRET</code> and{" "}
          <code>BASE_URL</code>; so does the command line. To have web processes and workers apart:
        </p>
        <CodeBlock title="Shell" language="shell" code={WORKER} />
        <p>
          All settings are environment variables, checked at the start; an invalid one stops it with the reason.{" "}
          <code>docs/settings.md</code> lists them, and <code>docs/serverless.md</code> tells how to run without a server process.
        </p>
        <p>
          <code>Dockerfile</code>, <code>compose.yaml</code> and <code>operations/kubernetes</code> have the same as an image without a
          shell, on a read-only file system. <code>docs/operating.md</code> leads from an empty machine to the first owner.
        </p>
      </DocsSection>
      <DocsSection id="health" title="Health">
        <p>
          <code>OPERATIONS_PORT</code> opens a second port, on the loopback address unless you give another one. Keep it away from the
          internet.
        </p>
        <Table head={["Address", "Answers", "For"]} rows={PROBES} />
        <CodeBlock title="Shell" language="shell" code={HEALTH} />
        <p>
          At <code>SIGTERM</code> a process stops accepting, finishes running requests for up to ten seconds, and leaves the rest of the
          work to the others. A process that is killed loses nothing that was acknowledged.
        </p>
      </DocsSection>
      <DocsSection id="metrics" title="Metrics">
        <p>
          <code>/metrics</code> is in the text format of Prometheus, with the figures of the process itself (memory, CPU, event loop) beside
          these:
        </p>
        <Table head={["Name", "Meaning"]} rows={METRICS.map(([name, meaning]) => [<code>{name}</code>, meaning])} />
        <p>
          Gauges of the queue, the quarantine, deliveries and the database are the same in every process: take the maximum.{" "}
          <code>operations/</code> has a board for Grafana and rules for alerts, and <code>docs/alerts.md</code> says for each what it means
          and what to do.
        </p>
        <p>
          The log is one line of JSON for each request: method, route, status, duration, environment and trace id, never a key, a secret or
          a body.
        </p>
      </DocsSection>
      <DocsSection id="backups" title="Backups">
        <ul>
          <li>
            Everything is in PostgreSQL. Use what you use for other databases: continuous archiving, or <code>pg_dump</code>. One dump is
            one consistent state; nothing has to be stopped for it.
          </li>
          <li>
            Keep <code>AUTH_SECRET</code> apart from the backup, and keep it safe: it encrypts the secrets of webhooks and second factors.
            Without it they have to be set up again.
          </li>
          <li>
            After restoring an old backup, repeat the erasures of players since then: <code>player repeat-erasures</code>, from the list
            that <code>player erasures</code> prints. Keep that list apart from the backups.
          </li>
          <li>
            Check the restored database: <code>audit</code> compares balances, stock, completions, scores and counts with their sources, and
            exits with 1 where anything differs.
          </li>
        </ul>
        <Note title="The embedded PostgreSQL is for trying out">
          <p>
            Without a <code>DATABASE_URL</code> the service brings its own database, in <code>DATA_DIR</code>. For a service that people
            rely on, use one that is backed up and looked after.
          </p>
        </Note>
      </DocsSection>
      <DocsSection id="secrets" title="Changing the secret">
        <p>
          Set the new <code>AUTH_SECRET</code>, and the old one as <code>AUTH_SECRET_PREVIOUS</code>, for every process. The next start
          re-encrypts the secrets of webhooks and second factors, and logs it; then remove the old one. Everyone signs in again.
        </p>
      </DocsSection>
      <DocsSection id="amiss" title="When something is amiss">
        <ul>
          <li>
            <strong>Events that could not be applied</strong> are quarantined with their error and block no others.{" "}
            <b>Developers → Quarantine</b> shows, tries and retries them; Owners and Admins are told by mail.
          </li>
          <li>
            <strong>Endpoints that fail</strong> are retried for about a day, and switched off after five days of failures. Nothing is lost:
            deliveries are held and sent when the endpoint is switched on again.
          </li>
          <li>
            <strong>503 service.unavailable</strong> means that the database cannot be reached, or had no connection free in time. Look at{" "}
            <code>/ready</code>, then at <code>max_connections</code>: a web process with its worker takes up to 26, and one more for each
            worker thread after the first.
          </li>
          <li>
            <strong>429 rate_limit.concurrency_exceeded</strong> means that one organization has more than 16 requests running. It protects
            the others; send batches rather than single events.
          </li>
        </ul>
      </DocsSection>
    </DocsPage>
  );
}
