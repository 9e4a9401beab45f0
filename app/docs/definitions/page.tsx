import Link from "next/link";
import { NOUNS } from "#server/model/rules/nouns.ts";
import { CodeBlock } from "#web/docs/code/code-block.tsx";
import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { HeadingLink, DocsSection, Table } from "#web/docs/text.tsx";
import { BLOCKS, FILE, type FileMember, fileMembers } from "#web/docs/definitions.ts";

export const metadata = { title: "The definitions file" };

export default function DefinitionsFile() {
  return (
    <DocsPage
      href="/docs/definitions"
      lead={
        <p>
          The JSON form of an environment&apos;s definitions: as the dashboard&apos;s forms save them, as they are promoted to Live, and as{" "}
          <Link href="/docs/guides/definitions-as-code">Definitions as code</Link> keeps them in git.
        </p>
      }
    >
      <DocsSection id="file" title="The format of the file">
        <CodeBlock title="engagement.json" language="json" code={FILE} />
        <p>
          Every list may be left out. An import is all or nothing: each problem is reported with its JSON pointer, and nothing is written if
          there is one. Definitions that the file leaves out stay. Importing the same file again changes nothing, and an export has the same
          bytes each time. An unknown member is a problem, since it is usually a typing error.
        </p>
        <p>
          <code>/definitions.schema.json</code> is the JSON Schema of the file, for editors.
        </p>
      </DocsSection>
      <DocsSection id="blocks" title="Building blocks">
        <Table head={["Part", "Form"]} rows={BLOCKS} />
      </DocsSection>
      <DocsSection id="lists" title="The lists">
        <p>
          Members that may be left out have a default, which an export writes out; null means the same as leaving it out. Keys never change.
        </p>
        {fileMembers().map(({ kind, members }) => (
          <div key={kind}>
            <h3 id={kind}>
              <HeadingLink id={kind}>{`${kind}: each ${NOUNS[kind]}`}</HeadingLink>
            </h3>
            <FileMembers title="Required" of={members.filter(({ isRequired }) => isRequired)} />
            <FileMembers title="Optional" of={members.filter(({ isRequired }) => !isRequired)} />
          </div>
        ))}
      </DocsSection>
      <DocsSection id="fixed" title="What cannot change">
        <ul>
          <li>A key.</li>
          <li>A mission&apos;s objectives, their order, its opt-in and its recurrence.</li>
          <li>The type of a property, an attribute, a metric or a catalog item.</li>
          <li>A streak&apos;s cadence, and a listing&apos;s recurrence.</li>
          <li>
            A leaderboard&apos;s <code>scoreSource</code>, <code>event</code>, <code>metric</code>, <code>attribute</code>,{" "}
            <code>where</code>, <code>measure</code>, <code>rankOrder</code>, <code>teamAttribute</code>, <code>period</code> and{" "}
            <code>league</code>, of which only the names of its tiers can change.
          </li>
          <li>The start of a window or season once it is reached.</li>
          <li>The end of a season once it is reached; until then it can be moved, but not into the past.</li>
          <li>The base currency, once an event of a currency metric was accepted.</li>
        </ul>
        <p>
          A refused change names the remedy, which is a new key. Rewards, prices and texts can change; past grants and sales stay as they
          were. Once players have earned by a definition, it is switched off (<code>active</code> false) and not removed.
        </p>
      </DocsSection>
    </DocsPage>
  );
}

const FileMembers = ({ title, of }: { title: string; of: readonly FileMember[] }) =>
  of.length > 0 && (
    <p>
      {title}:{" "}
      {of.map(({ name, values }, index) => (
        <span key={name}>
          {index > 0 && ", "}
          <code>{name}</code>
          {values.length > 0 && ` (${values.join(", ")})`}
        </span>
      ))}
      .
    </p>
  );
