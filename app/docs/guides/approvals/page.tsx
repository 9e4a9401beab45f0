import Link from "next/link";
import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { approvalSteps } from "#web/docs/guides/commands.ts";
import { GuideStep } from "#web/docs/guides/shown.tsx";
import { DocsSection, Note } from "#web/docs/text.tsx";

export const metadata = { title: "Approvals for Live" };

export default function Approvals() {
  return (
    <DocsPage
      href="/docs/guides/approvals"
      lead={
        <p>
          Definitions in Live give away money. A project can require a second person: a change to Live then becomes a request that another
          person approves before players see it. Approvals are off until an Admin turns them on under <b>Settings → Approvals for Live</b>.
        </p>
      }
    >
      <DocsSection id="roles" title="A lower role in Live">
        <p>
          A member has a role, and may have a lower one for Live: Editor in the Sandbox and Viewer in Live, or Support in Live alone. Set it
          under <b>Members</b>. Every screen, procedure and token checks the role in its environment. Actions that write both environments,
          such as promoting, check both roles.
        </p>
        <p>
          A scheduled change is checked with its author&apos;s role when it is due. If they left or have a lower role by then, it waits.
        </p>
      </DocsSection>
      <DocsSection id="requests" title="What becomes a request">
        <p>
          With approvals on, every change of a definition in Live becomes a request: saving, switching on or off, deleting, restoring a
          version, translating, promoting, importing a file, <code>definitions apply</code>, a scheduled change, and the environment&apos;s
          own settings. The required role stays the same. The service&apos;s own changes, such as discovery in Live, need no approval.
        </p>
        <p>
          A request shows the difference in words, with its title, reason and comments. It is listed under <b>Change requests</b>, and on
          the definitions that it would change. For a mission, a streak, a listing or a leaderboard it also shows the last saved backtest of
          the same draft, with the data behind it, or a button that runs one.
        </p>
      </DocsSection>
      <DocsSection id="approve" title="Who approves">
        <p>
          Owners, Admins, and Editors of Live whom an Admin allows to approve (<b>Members</b>, in the menu of a member). The author of a
          request and its last editor cannot approve it. Tokens can make, read and comment on requests; only signed-in people decide.
        </p>
        <p>
          An approval covers one revision. An edit makes a new revision, which needs its own approval. An approved request is applied once,
          immediately or at its scheduled time. Its checks, and the rights of its author and approver, are those of that moment.
        </p>
        <p>
          An Owner can go ahead alone with a reason. The reason is shown with the request and kept in the audit log, and all approvers are
          notified.
        </p>
        <Note title="Turning it off needs an approval too">
          <p>Otherwise one person could turn it off, change Live, and turn it on again.</p>
        </Note>
      </DocsSection>
      <DocsSection id="conflict" title="When Live has changed since">
        <p>
          A request keeps what its author saw. If a definition has changed in the meantime, the request says so, shows both sides, and is
          not applied. Edit the request, or overwrite the newer version; either needs a new approval. If the checks refuse a request when it
          is applied, it opens again, with the reason.
        </p>
      </DocsSection>
      <DocsSection id="command-line" title="From the command line">
        <p>
          <code>apply</code>, <code>import</code> and <code>promote</code> print the address of the request and exit with 0. Run again with
          the same change, they print the same request until it is decided. <code>--wait</code> waits for the decision and fails if the
          request is rejected or withdrawn, so a pipeline continues only once Live has changed. See{" "}
          <Link href="/docs/guides/definitions-as-code">Definitions as code</Link>.
        </p>
        <GuideStep of={approvalSteps().apply} />
      </DocsSection>
    </DocsPage>
  );
}
