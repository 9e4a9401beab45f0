import { ERRORS } from "#server/model/kernel/errors.ts";
import { publicAddress } from "#server/process/base-url.ts";
import { CodeBlock } from "#web/docs/code/code-block.tsx";
import { layOut } from "#web/docs/code/lay-out.ts";
import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { DocsSection } from "#web/docs/text.tsx";
import { ErrorEntry, groupByArea } from "#web/docs/errors.tsx";

export const metadata = { title: "Errors" };

/** The page that every problem's `type` links to, with an anchor for each code. */
export default function ErrorReference() {
  return (
    <DocsPage
      href="/docs/errors"
      title="Error reference"
      lead={
        <p>
          Every refusal is a problem document (RFC 9457) of the type <code>application/problem+json</code>. Switch on its <code>code</code>:
          the words may change, the code never does. <code>errors</code> lists every problem of the request with its pointer, and{" "}
          <code>traceId</code> finds the request in the logs.
        </p>
      }
    >
      <CodeBlock title="A problem" remark="409" language="json" code={layOut(example(publicAddress()))} />
      {groupByArea(ERRORS).map(({ area, title, codes }) => (
        <DocsSection key={area} id={`${area}-errors`} title={title}>
          {codes.map(([code, description]) => (
            <ErrorEntry key={code} code={code} description={description} />
          ))}
        </DocsSection>
      ))}
    </DocsPage>
  );
}

const example = (baseUrl: string) => {
  const code = "points.insufficient_balance" as const;
  const { title, status, meaning } = ERRORS[code];
  return {
    type: `${baseUrl}/docs/errors#${code}`,
    title,
    status,
    detail: meaning,
    instance: "/v1/marketplace-items/coffee_on_us/purchases",
    code,
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    errors: [{ code, message: meaning }],
  };
};
