import Link from "next/link";
import { CodeBlock } from "#web/docs/code/code-block.tsx";
import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { DocsSection, Note } from "#web/docs/text.tsx";

export const metadata = { title: "Approvals for Live" };

export default function Approvals() {
  return (
    <DocsPage
      href="/docs/guides/approvals"
      lead={
        <p>
          Definitions in Live give away money. A project can ask for a second person: a change of Live is then a request that another person
          approves before players see it. It is off until an Admin turns it on under <b>Settings → Approvals for Live</b>.
        </p>
      }
    >
      <DocsSection id="roles" title="A lower role in Live">
        <p>
          A member has a role, and may have a lower one for Live: Editor in the Sandbox and Viewer in Live, or Support in Live alone. Set it
          under <b>Members</b>. Every screen, procedure and token asks for the role in the environment that it is about. What writes both,
          such as promoting, asks for the role in each.
        </p>
        <p>
          A scheduled change is checked with its author&apos;s role when it is due. If they left or have a lower role by then, it waits.
        </p>
      </DocsSection>
      <DocsSection id="requests" title="What becomes a request">
        <p>
          With approvals on, everything that changes a definition in Live: saving, switching on or off, deleting, restoring a version,
          translating, promoting, importing a file, <code>definitions apply</code>, a scheduled change, and the environment&apos;s own
          settings. The role that it takes stays the same. What the service does by itself, such as discovery where Live has it on, goes on.
        </p>
        <p>
          A request shows the difference in words, its title, reason and comments. It stands under <b>Change requests</b>, and on the
          definitions that it would change.
        </p>
      </DocsSection>
      <DocsSection id="approve" title="Who approves">
        <p>
          Owners, Admins, and the Editors of Live that an Admin lets approve (<b>Members</b>, in the menu of a member). Never the person who
          made a request, nor the one who edited it last. Tokens make, read and comment on requests; only people who are signed in decide
          them.
        </p>
        <p>
          An approval is of one revision. An edit makes the next one, which needs an approval of its own. An approved request is applied at
          once, or at the time that it names, once, with the checks and the rights of its author and its approver as of then.
        </p>
        <p>
          An Owner can go ahead alone with a reason. It is shown with the request, kept in the audit log, and told to all who may approve.
        </p>
        <Note title="Turning it off needs an approval too">
          <p>Otherwise one person could turn it off, change Live, and turn it on again.</p>
        </Note>
      </DocsSection>
      <DocsSection id="conflict" title="When Live has changed since">
        <p>
          A request keeps what its author saw. If a definition is another one by now, the request says so, shows both sides, and is not
          applied. Edit it, or write it over what Live has become; either needs a new approval. A request that Live refuses when it is
          applied is open again, with the reason.
        </p>
      </DocsSection>
      <DocsSection id="command-line" title="From the command line">
        <p>
          <code>apply</code>, <code>import</code> and <code>promote</code> print the address of the request and exit with 0.{" "}
          <code>--wait</code> waits for the decision and fails if the request is rejected or withdrawn, so a pipeline goes on only with a
          changed Live. See <Link href="/docs/guides/definitions-as-code">Definitions as code</Link>.
        </p>
        <CodeBlock
          title="In a pipeline"
          code={
            'engagement definitions apply definitions --environment live --yes \\\n  --title "Summer missions" --reason "Ticket 4711" --wait'
          }
        />
      </DocsSection>
    </DocsPage>
  );
}
