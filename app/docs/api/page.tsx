import type { Metadata } from "next";
import { describeError, type ErrorCode } from "#server/model/kernel/errors.ts";
import { RequestBlock } from "#web/docs/code/request-block.tsx";
import { Page } from "#web/docs/frame/docs-page.tsx";
import { API_TAGS } from "#web/docs/navigation.ts";
import { Section } from "#web/docs/text/section.tsx";
import { withCode } from "#web/docs/text/with-code.tsx";
import { apiDocument, commonCodes, endpointsOf } from "#web/docs/api/document.ts";
import { MethodBadge } from "#web/docs/api/method-badge.tsx";

export const metadata: Metadata = { title: "API reference" };

/** What holds for every endpoint, and all of them at a glance. */
export default function ApiConventions() {
  const [lead = "", ...lines] = apiDocument()
    .info.description.split("\n")
    .filter((line) => line !== "");
  return (
    <Page href="/docs/api" title="API reference" lead={<p>{lead}</p>}>
      <RequestBlock request={{ method: "GET", path: "/v1/points?PlayerId=customer-1042" }} />
      <Section id="conventions" title="Conventions">
        <ul>
          {lines.map((line) => (
            <li key={line}>{withCode(line.replace(/^- /, ""))}</li>
          ))}
        </ul>
        <p>
          The machine-readable description, from which clients can be generated, is at <a href="/v1/openapi.json">/v1/openapi.json</a>{" "}
          (OpenAPI 3.1). It needs no key.
        </p>
      </Section>
      <Section id="endpoints" title="Endpoints">
        {API_TAGS.map(({ tag, description, href }) => (
          <div key={tag} className="mt-6">
            <h3>
              <a href={href} className="hover:underline">
                {tag}
              </a>
            </h3>
            <p className="text-quiet">{description}</p>
            <ul className="docs-endpoints">
              {endpointsOf(tag).map(({ method, path, operation: { operationId, summary } }) => (
                <li key={operationId}>
                  <a href={`${href}#${operationId}`}>
                    <MethodBadge method={method} />
                    <span className="docs-path">{path}</span>
                    <span className="docs-summary">{summary}</span>
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </Section>
      <Section id="refusals" title="Errors of every endpoint">
        <p>
          Every refusal is a problem document (RFC 9457). These can come from any endpoint; its own stand with it. The{" "}
          <a href="/docs/errors">error reference</a> explains each code.
        </p>
        <ul className="docs-refusals">
          {[...commonCodes()].map((code) => (
            <li key={code}>
              <span className="font-mono text-xs text-quiet">{describeError(code as ErrorCode).status}</span>
              <span>
                <a href={`/docs/errors#${code}`}>
                  <code>{code}</code>
                </a>{" "}
                <span className="text-quiet">{describeError(code as ErrorCode).title}</span>
              </span>
            </li>
          ))}
        </ul>
      </Section>
    </Page>
  );
}
