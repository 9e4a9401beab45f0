import { FIGURE_NAMES, FIGURE_WORDS } from "#server/model/alerts/figures.ts";
import { bodyOf, type ChannelMessage, type ChannelType, NOTICES_EVENT } from "#server/model/notices/channels.ts";
import { writeEnvelope } from "#server/model/webhooks/request.ts";
import { CodeBlock } from "#web/docs/code/code-block.tsx";
import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { DocsSection, Note } from "#web/docs/text.tsx";

export const metadata = { title: "Notifications and alerts" };

const MESSAGE: ChannelMessage = {
  projectSlug: "acme",
  projectName: "Acme",
  notices: [
    {
      id: "0b0f7a52-2a8e-4a3e-8d51-6a1c8f0f4f10",
      kind: "Alert",
      environment: "live",
      endpointId: null,
      isOver: false,
      details: {
        name: "Points granted",
        since: "2026-11-25T09:19:55.120Z",
        reason: "Points granted: 120,000 in an hour, above 3 × usual (36,000)",
      },
      createdAt: Date.parse("2026-11-25T09:19:55.120Z"),
    },
  ],
  count: 1,
};

const bodyFor = (type: ChannelType): string => bodyOf(type, MESSAGE, "https://points.example.com");
const indented = (json: string): string => JSON.stringify(JSON.parse(json), null, 2);

const SLACK = indented(bodyFor("Slack"));
const SIGNED = indented(
  writeEnvelope({
    id: "6f8a1f0e-5f0c-4b53-9a6e-0d7a1f9d2c11",
    event: NOTICES_EVENT,
    occurredAt: Date.parse("2026-11-25T09:20:00.000Z"),
    data: bodyFor("Signed"),
  }),
);

export default function Alerts() {
  return (
    <DocsPage
      href="/docs/guides/alerts"
      lead={
        <p>Your team is told of failing webhooks, quarantined events and unusual figures: by email, in Slack, or in your own system.</p>
      }
    >
      <DocsSection id="email" title="Email">
        <p>
          Each member chooses the kinds of notifications under <b>Your account</b>. Without a choice, Owners and Admins get all of them. A
          project sends at most one email an hour for each kind.
        </p>
      </DocsSection>
      <DocsSection id="channels" title="Channels">
        <p>
          Admins add channels of a project under <b>Channels</b>, at most twenty. Each chooses its kinds. A channel gets one message when a
          problem begins and one when it is over, and at most one message a minute, which contains everything since the last one.{" "}
          <b>Send test</b> shows what the receiver answered.
        </p>
        <p>
          <strong>Slack</strong>: the address of an incoming webhook of Slack, or of a compatible service such as Mattermost. The address is
          a password: it is stored encrypted and not shown again.
        </p>
        <CodeBlock title="The body for Slack" code={SLACK} />
        <p>
          <strong>Signed webhook</strong>: JSON, signed as in Standard Webhooks, with a secret that is shown once. Verify it like any other
          webhook of this service.
        </p>
        <CodeBlock title="The body of a signed webhook" code={SIGNED} />
        <p>
          A message is sent at least once. Each attempt has the same <code>webhook-id</code> and the same body. A receiver that fails is
          tried eight times in a little over a day; a 4xx answer is final. A channel that only fails for a day is switched off; a
          notification says so by email and in the other channels.
        </p>
      </DocsSection>
      <DocsSection id="alerts" title="Alerts">
        <p>
          Editors add alerts of an environment under <b>Alerts and budgets</b>, at most fifty. An alert watches one figure, of the
          environment or of one definition, and notifies you when it is above or below a value, or a multiple of the usual. Usual is the
          mean of the same hours of the previous four weeks. The preview shows the notifications of the last 28 days. A definition that
          starts over keeps its alerts and budgets; those of a deleted one stop, and a new definition with its key does not get them.
        </p>
        <ul>
          {FIGURE_NAMES.map((figure) => (
            <li key={figure}>{FIGURE_WORDS[figure].label}</li>
          ))}
        </ul>
        <Note title="When it is checked">
          <p>
            Every three minutes: &quot;above&quot; during an hour, &quot;below&quot; when an hour is complete. Shares of fewer than twenty
            attempts are not checked, and neither is an alert whose usual value is 0. After a change of the project&apos;s time zone, alerts
            wait until all players are counted again.
          </p>
        </Note>
      </DocsSection>
      <DocsSection id="budgets" title="Budgets">
        <p>
          Editors give a mission or a listing a budget of points or items, for a day, a week or in total, under <b>Alerts and budgets</b>:
          at most fifty in an environment. You are notified at 80% and at 100%, once in each period. For a mission, the points or items
          granted count; for a listing, the points spent less refunds, or the purchases. A day is a day in the project&apos;s time zone.
        </p>
        <p>
          With <b>Switch it off at 100%</b> the service switches the mission or listing off, and a person switches it on again; the budget
          then leaves it alone for the rest of the period. The change is in the audit log and in the definition&apos;s history. Where
          changes to Live need approval, the service needs none, so only an Owner adds, changes or deletes such a budget there.
        </p>
        <Note title="A budget can be exceeded">
          <p>
            The figures are checked every five seconds, on a serverless installation every minute: what is granted between the limit and the
            check, or is being processed then, goes beyond the limit. A budget that does not switch off is checked every minute.
          </p>
        </Note>
      </DocsSection>
    </DocsPage>
  );
}
