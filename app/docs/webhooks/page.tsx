import { apiDocument, jsonOf, type Operation } from "#web/docs/api/document.ts";
import { SchemaMembers, Shape } from "#web/docs/api/members.tsx";
import { CodeBlock } from "#web/docs/code/code-block.tsx";
import { layOut } from "#web/docs/code/lay-out.ts";
import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { HeadingLink, withCode } from "#web/docs/text.tsx";

export const metadata = { title: "Webhooks" };

/** The webhooks that the service sends, by event. */
export default function WebhookReference() {
  const webhooks = Object.entries(apiDocument().webhooks);
  const [, { post: first }] = webhooks[0]!;
  return (
    <DocsPage
      href="/docs/webhooks"
      isWide
      lead={
        <p>
          A POST to your endpoint for each event that it subscribes to, signed as in Standard Webhooks. How to receive, verify and answer
          them is in the guide <a href="/docs/guides/webhooks">Receiving webhooks</a>.
        </p>
      }
    >
      <section aria-labelledby="headers" className="docs-prose max-w-3xl pb-10">
        <h2 id="headers">
          <HeadingLink id="headers">Headers of every delivery</HeadingLink>
        </h2>
        <SchemaMembers
          marks="optional"
          members={first.parameters.map(({ name, schema, description }) => ({
            name,
            schema: name === "X-Service-Event" ? { type: "string" } : schema,
            description,
            isRequired: true,
          }))}
        />
      </section>
      {webhooks.map(([event, { post }]) => (
        <WebhookEntry key={event} event={event} operation={post} />
      ))}
    </DocsPage>
  );
}

function WebhookEntry({ event, operation: { summary, description, requestBody } }: { event: string; operation: Operation }) {
  const content = jsonOf(requestBody?.content)!;
  return (
    <section aria-labelledby={event} className="docs-prose grid gap-x-10 border-t border-line py-10 xl:grid-cols-2">
      <div className="min-w-0">
        <h2 id={event}>
          <HeadingLink id={event}>{summary}</HeadingLink>
        </h2>
        <p>
          <code>{event}</code>
        </p>
        <p>{withCode(description)}</p>
        <h3>Body</h3>
        <Shape schema={content.schema} marks="optional" />
      </div>
      <div className="min-w-0 xl:sticky xl:top-20 xl:self-start">
        <CodeBlock title="Body" language="json" code={layOut(content.example)} />
      </div>
    </section>
  );
}
