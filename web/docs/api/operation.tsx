import { clsx } from "clsx";
import { describeError, type ErrorCode } from "#server/model/kernel/errors.ts";
import { articled } from "#server/model/rules/naming.ts";
import { capitalised } from "#server/model/kernel/thousands.ts";
import { CodeBlock, RequestBlock } from "../code/code-block.tsx";
import { layOut } from "../code/lay-out.ts";
import type { ShownRequest } from "../code/shown.ts";
import { HeadingLink, withCode } from "../text.tsx";
import { codesOf, commonCodes, type Endpoint, jsonOf, type Operation } from "./document.ts";
import { type Member, SchemaMembers, Shape } from "./members.tsx";
import { schemaType } from "./type-name.ts";

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
        <RequestBody operation={operation} />
        <h3>Response</h3>
        <p className="text-quiet">
          {withCode(`**${answer.status}** ${answer.description}`)}
          {answer.content && ` ${capitalised(articled(schemaType(answer.content.schema)))}.`}
        </p>
        {answer.content && <Shape schema={answer.content.schema} marks="optional" />}
        <OperationRefusals operation={operation} />
      </div>
      <div className="min-w-0 xl:sticky xl:top-20 xl:self-start">
        <RequestBlock request={exampleRequest(endpoint)} />
        {answer.content ? (
          <CodeBlock title="Response" remark={answer.status} language="json" code={layOut(answer.content.example)} />
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
        <SchemaMembers members={members} marks="required" />
      </>
    )
  );
}

function RequestBody({ operation: { requestBody } }: { operation: Operation }) {
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

const COLOURS: Readonly<Record<string, string>> = {
  GET: "bg-accent-soft text-accent",
  POST: "bg-good-soft text-good",
  PUT: "bg-warn-soft text-warn",
};

export function MethodBadge({ method }: { method: string }) {
  return <span className={clsx("rounded px-1.5 py-0.5 font-mono text-xs font-semibold", COLOURS[method])}>{method}</span>;
}

/** An endpoint's own codes, each linked to the error reference. */
function OperationRefusals({ operation }: { operation: Operation }) {
  const common = commonCodes();
  const refusals = codesOf(operation).flatMap(([, codes]) => codes.filter((code) => !common.has(code)));
  return (
    <>
      <h3>Refusals</h3>
      {refusals.length > 0 && <ErrorCodes codes={refusals} />}
      <p className="text-quiet">
        {refusals.length > 0 ? "And those " : "Only those "}
        <a href="/docs/api#refusals">of every endpoint</a>.
      </p>
    </>
  );
}

/** Codes with their status, each linked to the error reference. */
export const ErrorCodes = ({ codes }: { codes: readonly string[] }) => (
  <ul className="mt-2.5 list-none p-0">
    {codes.map((code) => (
      <li key={code} className="flex items-baseline gap-3">
        <span className="font-mono text-xs text-quiet">{describeError(code as ErrorCode).status}</span>
        <span className="min-w-0">
          <a href={`/docs/errors#${code}`}>
            <code>{code}</code>
          </a>{" "}
          <span className="text-quiet">{describeError(code as ErrorCode).title}</span>
        </span>
      </li>
    ))}
  </ul>
);

/** An example request from the contract: required path and query parameters, and the complete body. */
function exampleRequest({ method, path, operation: { parameters, requestBody } }: Endpoint): ShownRequest {
  const exampleOf = (name: string) => encodeURIComponent(String(parameters.find((parameter) => parameter.name === name)?.example));
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name }) => `${name}=${exampleOf(name)}`);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => exampleOf(name));
  return { method, path: [filled, ...(query.length > 0 ? [query.join("&")] : [])].join("?"), body: jsonOf(requestBody?.content)?.example };
}
