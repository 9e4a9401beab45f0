import { publicAddress } from "#server/process/base-url.ts";
import { CodeBlock } from "#web/docs/code/code-block.tsx";
import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { DocsSection, Table } from "#web/docs/text.tsx";
import { typesSteps } from "#web/docs/guides/commands.ts";
import { GuideStep } from "#web/docs/guides/shown.tsx";
import { generate, PROGRAM, REFUSAL } from "#web/docs/guides/samples.ts";

export const metadata = { title: "Typed clients" };

const GENERATORS: readonly [language: string, name: string][] = [
  ["TypeScript", "`@hey-api/openapi-ts`"],
  ["Python", "`openapi-python-client`"],
  ["Go", "`oapi-codegen`"],
  ["Java, C#, PHP, Ruby and others", "`openapi-generator`"],
];

export default function TypedClients() {
  return (
    <DocsPage
      href="/docs/guides/typed-clients"
      lead={
        <p>
          The API describes itself in OpenAPI 3.1, at an address that needs no key. Generate a client from it, and your compiler knows every
          endpoint, every member and every error code.
        </p>
      }
    >
      <DocsSection id="generate" title="Generate it">
        <p>In a TypeScript project:</p>
        <CodeBlock title="Shell" language="shell" code={generate(publicAddress())} />
        <p>
          Commit the generated files, or generate them in your build. Generate them again to use something new: nothing in <code>/v1</code>{" "}
          is removed (see the <a href="/docs/changelog#policy">policy</a>), so an old client keeps working.
        </p>
      </DocsSection>
      <DocsSection id="use" title="Use it">
        <CodeBlock title="src/example.ts" language="typescript" code={PROGRAM} />
        <p>
          Operations are named in the document: <code>sendEvents</code>, <code>readMissions</code>, <code>getPoints</code>. The{" "}
          <a href="/docs/api">API reference</a> has the same names in its links.
        </p>
      </DocsSection>
      <DocsSection id="definitions" title="Your own events and keys">
        <p>
          The <a href="/docs/command-line">command line</a> writes what your environment defines: <code>KnownEvent</code> is the body of an
          event with its own properties, <code>MissionKey</code> and the like are unions of keys. Where the file is part of your program, a
          misspelt event does not compile. The testing kit accepts the file as it is.
        </p>
        <GuideStep of={typesSteps().types} />
      </DocsSection>
      <DocsSection id="errors" title="Errors have types too">
        <p>Each operation has its own codes. The compiler refuses any other code:</p>
        <CodeBlock title="Refusals" language="typescript" code={REFUSAL} />
        <p>
          New codes may be added. Keep a <code>default</code> branch, and treat a code that you do not know by its status.
        </p>
      </DocsSection>
      <DocsSection id="numbers" title="Numbers that need every digit">
        <p>
          Amounts are exact, with up to 20 digits before the decimal point and 8 after it. Most generated clients read them as floating
          point. That is exact up to 15 digits; where you need more, read the body with a decimal type instead.
        </p>
      </DocsSection>
      <DocsSection id="other" title="Other languages">
        <Table head={["Language", "Generator"]} rows={GENERATORS} />
        <p>
          The TypeScript client is tested against the running service with each change; the others are made by their own projects, and
          differ in how much of OpenAPI 3.1 they read.
        </p>
      </DocsSection>
    </DocsPage>
  );
}
