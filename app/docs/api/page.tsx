import { RequestBlock } from "#web/docs/code/code-block.tsx";
import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { API_TAGS } from "#web/docs/navigation.ts";
import { DocsSection, withCode } from "#web/docs/text.tsx";
import { apiDocument, commonCodes, endpointsOf } from "#web/docs/api/document.ts";
import { ErrorCodes, MethodBadge } from "#web/docs/api/operation.tsx";

export const metadata = { title: "API reference" };

/** The conventions of all endpoints, and a list of them. */
export default function ApiConventions() {
  const [lead = "", ...lines] = apiDocument()
    .info.description.split("\n")
    .filter((line) => line !== "");
  return (
    <DocsPage href="/docs/api" title="API reference" lead={<p>{lead}</p>}>
      <RequestBlock request={{ method: "GET", path: "/v1/points?PlayerId=customer-1042" }} />
      <DocsSection id="conventions" title="Conventions">
        <ul>
          {lines.map((line) => (
            <li key={line}>{withCode(line.replace(/^- /, ""))}</li>
          ))}
        </ul>
        <p>
          The machine-readable description, from which clients can be generated, is at <a href="/v1/openapi.json">/v1/openapi.json</a>{" "}
          (OpenAPI 3.1). It needs no key.
        </p>
      </DocsSection>
      <DocsSection id="endpoints" title="Endpoints">
        {API_TAGS.map(({ tag, description, href }) => (
          <div key={tag} className="mt-6">
            <h3>
              <a href={href} className="hover:underline">
                {tag}
              </a>
            </h3>
            <p className="text-quiet">{description}</p>
            <ul className="mt-2 list-none overflow-hidden rounded-lg border border-line p-0">
              {endpointsOf(tag).map(({ method, path, operation: { operationId, summary } }) => (
                <li key={operationId} className="m-0 border-line not-first:border-t">
                  <a
                    href={`${href}#${operationId}`}
                    className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-3.5 py-2 text-ink no-underline hover:bg-raised"
                  >
                    <MethodBadge method={method} />
                    <span className="min-w-0 font-mono text-[0.8125rem] wrap-anywhere">{path}</span>
                    <span className="ml-auto text-[0.8125rem] text-quiet">{summary}</span>
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </DocsSection>
      <DocsSection id="refusals" title="Errors of every endpoint">
        <p>
          Every refusal is a problem document (RFC 9457). These can come from any endpoint; each endpoint also lists its own. The{" "}
          <a href="/docs/errors">error reference</a> explains each code.
        </p>
        <ErrorCodes codes={[...commonCodes()]} />
      </DocsSection>
    </DocsPage>
  );
}
