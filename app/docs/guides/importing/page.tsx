import Link from "next/link";
import { CodeBlock } from "#web/docs/code/code-block.tsx";
import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { Note, DocsSection } from "#web/docs/text.tsx";
import { IMPORT_KINDS } from "#web/imports/words.ts";

export const metadata = { title: "Importing history" };

export default function Importing() {
  return (
    <DocsPage
      href="/docs/guides/importing"
      lead={<p>Bring existing players, their attributes, past events and points from files, before or after you go live.</p>}
    >
      <DocsSection id="files" title="The files">
        <p>
          CSV with a first line of column names, or JSON lines: one object per line. Spaces at the ends of a CSV cell are dropped, also in
          quotes. A file has one kind of data. Editors import it under <b>Import data</b> in the dashboard; points need the Admin role.
        </p>
        {Object.values(IMPORT_KINDS).map(({ label, hint, csv }) => (
          <div key={label}>
            <p>
              <strong>{label}</strong>: {hint}.
            </p>
            <CodeBlock title={`${label}, CSV`} code={csv} />
          </div>
        ))}
      </DocsSection>
      <DocsSection id="check" title="Checked before anything is written">
        <p>
          The check reads the whole file and shows how many lines are new, were imported already, and are refused, with the reason for each
          refused line. Nothing else is written until you start the import. Refused lines do not hold the others back; correct them and
          import the file again.
        </p>
        <p>
          A line of events or points is applied once. It is known by its <code>idempotencyKey</code>, or else by its content; equal lines of
          one file all count. So importing their file again changes nothing. To add the same points again from another file, import it with
          another reason, or give its lines other keys. Players and attributes are set again each time, except <code>firstSeenAt</code>,
          which counts for new players only. A value of an attribute that is older than the stored one is ignored.
        </p>
      </DocsSection>
      <DocsSection id="missions" title="Missions and webhooks">
        <p>
          Choose which players of the file are entered into missions: none, all, or the members of a segment. They are entered before their
          events are applied, so that history counts for the missions. Conditions of audiences see past events either way.
        </p>
        <p>An import sends no webhooks unless you choose so. Its completions, points and items exist without webhooks.</p>
        <Note title="Live traffic goes first">
          <p>An import pauses while requests are being applied, so a large file takes longer and delays no request.</p>
        </Note>
      </DocsSection>
      <DocsSection id="api" title="Through the API instead">
        <p>
          Past events can also be sent in batches, with their own <code>occurredAt</code>: see <Link href="/docs/api/events">Events</Link>.
          An event counts for the missions that its player is in when it arrives.
        </p>
      </DocsSection>
    </DocsPage>
  );
}
