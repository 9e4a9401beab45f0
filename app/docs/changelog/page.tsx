import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { DocsSection, withCode } from "#web/docs/text.tsx";
import { RELEASES } from "#web/docs/releases.ts";

export const metadata = { title: "Changelog" };

export default function Changelog() {
  return (
    <DocsPage href="/docs/changelog" lead={<p>What changed for those who build on the API, and what you can rely on not to change.</p>}>
      <DocsSection id="policy" title="What stays as it is">
        <p>
          The version is in the path: <code>/v1</code>. Within it nothing that works today stops working. We do not remove or rename an
          endpoint, a member, a value or an error code, and we do not give one another meaning or type.
        </p>
        <p>These changes come without notice, so your code has to allow for them:</p>
        <ul>
          <li>new endpoints, and new optional members and parameters of requests;</li>
          <li>new members of answers and of webhook bodies: ignore those that you do not know;</li>
          <li>
            new error codes, and new values of <code>status</code>, <code>kind</code> and the like: keep a default branch;
          </li>
          <li>new webhook events, which only go to endpoints that subscribe to them;</li>
          <li>
            the words of error messages. Switch on <code>code</code>.
          </li>
        </ul>
        <p>
          Webhook bodies have a <code>version</code> of their own, 1 today. A change that breaks them gets a new one.
        </p>
      </DocsSection>
      <DocsSection id="deprecation" title="Deprecation">
        <ol>
          <li>
            It is marked <code>deprecated</code> in <a href="/v1/openapi.json">/v1/openapi.json</a> and listed here with what replaces it.
            It keeps working.
          </li>
          <li>
            What cannot be done without breaking something comes as <code>/v2</code>, beside <code>/v1</code>. Both work on the same players
            and definitions, so you can move one call at a time.
          </li>
          <li>
            <code>/v1</code> is served for at least twelve months after <code>/v2</code> is complete.
          </li>
        </ol>
        <p>Nothing is deprecated today.</p>
      </DocsSection>
      {RELEASES.map(({ version, title, changes }) => (
        <DocsSection key={version} id={`v${version}`} title={`${version}: ${title}`}>
          <ul>
            {changes.map((change) => (
              <li key={change}>{withCode(change)}</li>
            ))}
          </ul>
        </DocsSection>
      ))}
    </DocsPage>
  );
}
