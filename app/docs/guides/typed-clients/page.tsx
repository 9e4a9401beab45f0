import type { Metadata } from "next";
import { publicAddress } from "#server/process/base-url.ts";
import { CodeBlock } from "#web/docs/code/code-block.tsx";
import { Page } from "#web/docs/frame/docs-page.tsx";
import { Section } from "#web/docs/text/section.tsx";
import { generate, PROGRAM, REFUSAL } from "#web/docs/guides/typed-clients/sample.ts";

export const metadata: Metadata = { title: "Typed clients" };

const GENERATORS: readonly [language: string, name: string][] = [
  ["TypeScript", "@hey-api/openapi-ts"],
  ["Python", "openapi-python-client"],
  ["Go", "oapi-codegen"],
  ["Java, C#, PHP, Ruby and others", "openapi-generator"],
];

export default function TypedClients() {
  return (
    <Page
      href="/docs/guides/typed-clients"
      lead={
        <p>
          The API describes itself in OpenAPI 3.1, at an address that needs no key. Make a client from it, and your compiler knows every
          endpoint, every member and every error code.
        </p>
      }
    >
      <Section id="generate" title="Generate it">
        <p>In a TypeScript project:</p>
        <CodeBlock title="Shell" language="shell" code={generate(publicAddress())} />
        <p>
          Commit what was generated, or generate it in your build. Do it again when you want to use something new: nothing in{" "}
          <code>/v1</code> is taken away (see the <a href="/docs/changelog#policy">policy</a>), so an old client goes on working.
        </p>
      </Section>
      <Section id="use" title="Use it">
        <CodeBlock title="src/example.ts" language="typescript" code={PROGRAM} />
        <p>
          Operations are named in the document: <code>sendEvents</code>, <code>readMissions</code>, <code>getPoints</code>. The{" "}
          <a href="/docs/api">API reference</a> has the same names in its links.
        </p>
      </Section>
      <Section id="errors" title="Errors have types too">
        <p>Each operation knows its own codes. A code that it cannot answer with is an error of the compiler:</p>
        <CodeBlock title="Refusals" language="typescript" code={REFUSAL} />
        <p>
          New codes may come. Keep a <code>default</code> branch, and treat a code that you do not know by its status.
        </p>
      </Section>
      <Section id="numbers" title="Numbers that need every digit">
        <p>
          Amounts are exact, with up to 20 digits before the decimal point and 8 after it. Most generated clients read them as floating
          point. That is exact up to 15 digits; where you need more, read the body with a decimal type instead.
        </p>
      </Section>
      <Section id="other" title="Other languages">
        <table>
          <thead>
            <tr>
              <th scope="col">Language</th>
              <th scope="col">Generator</th>
            </tr>
          </thead>
          <tbody>
            {GENERATORS.map(([language, name]) => (
              <tr key={name}>
                <td>{language}</td>
                <td>
                  <code>{name}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          The TypeScript client is tested against the running service with each change; the others are made by their own projects, and
          differ in how much of OpenAPI 3.1 they read.
        </p>
      </Section>
    </Page>
  );
}
