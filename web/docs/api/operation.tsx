import { articled } from "#server/model/rules/naming.ts";
import { capitalised } from "../../components/words.ts";
import { CodeBlock } from "../code/code-block.tsx";
import { layOut } from "../code/lay-out.ts";
import { RequestBlock } from "../code/request-block.tsx";
import { HeadingLink } from "../text/heading-link.tsx";
import { withCode } from "../text/with-code.tsx";
import { type Endpoint, jsonOf, type Operation } from "./document.ts";
import { exampleRequest } from "./example-request.ts";
import { type Member, Members, Shape } from "./members.tsx";
import { MethodBadge } from "./method-badge.tsx";
import { Refusals } from "./refusals.tsx";
import { typeName } from "./type-name.ts";

/** An endpoint: purpose, parameters and response, beside an example request with its answer. */
export function OperationEntry({ endpoint }: { endpoint: Endpoint }) {
  const { method, path, operation } = endpoint;
  const { operationId, summary, description } = operation;
  const answer = answerOf(operation);
  return (
    <section
      aria-labelledby={operationId}
      className="docs-prose grid gap-x-10 border-t border-line py-10 first:border-t-0 first:pt-0 xl:grid-cols-2"
    >
      <div className="min-w-0">
        <h2 id={operationId}>
          <HeadingLink id={operationId}>{summary}</HeadingLink>
        </h2>
        <p className="flex flex-wrap items-center gap-2">
          <MethodBadge method={method} />
          <code className="text-[0.8125rem]">{path}</code>
        </p>
        <p>{withCode(description)}</p>
        <Parameters title="In the path" of={operation} place="path" />
        <Parameters title="In the query" of={operation} place="query" />
        <Body operation={operation} />
        <h3>Answer</h3>
        <p className="text-quiet">
          {withCode(`**${answer.status}** ${answer.description}`)}
          {answer.content && ` ${capitalised(articled(typeName(answer.content.schema)))}.`}
        </p>
        {answer.content && <Shape schema={answer.content.schema} marks="optional" />}
        <Refusals operation={operation} />
      </div>
      <div className="min-w-0 xl:sticky xl:top-20 xl:self-start">
        <RequestBlock request={exampleRequest(endpoint)} />
        {answer.content ? (
          <CodeBlock title="Answer" remark={answer.status} language="json" code={layOut(answer.content.example)} />
        ) : (
          <p className="text-quiet">{`Answers ${answer.status}, without a body.`}</p>
        )}
      </div>
    </section>
  );
}

function Parameters({ title, of: { parameters }, place }: { title: string; of: Operation; place: "path" | "query" }) {
  const members = parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, schema, description, required = false }): Member => ({ name, schema, description, isRequired: required }));
  return (
    members.length > 0 && (
      <>
        <h3>{title}</h3>
        <Members members={members} marks="required" />
      </>
    )
  );
}

function Body({ operation: { requestBody } }: { operation: Operation }) {
  const content = jsonOf(requestBody?.content);
  return (
    content && (
      <>
        <h3>Body</h3>
        <Shape schema={content.schema} marks="required" />
      </>
    )
  );
}

function answerOf({ responses }: Operation) {
  const [status, { description, content }] = Object.entries(responses).find(([code]) => code.startsWith("2"))!;
  return { status, description, content: jsonOf(content) };
}
