import type { Metadata } from "next";
import { ERRORS } from "../../../server/kernel/errors.ts";
import { ErrorEntry } from "./error-entry.tsx";
import { groupByArea } from "./groups.ts";

export const metadata: Metadata = { title: "Error reference" };

/** What the `type` of every problem points to (decisions.md 7), one anchor for each code. */
export default function ErrorReference() {
  const areas = groupByArea(ERRORS);
  return (
    <main className="reference">
      <header>
        <h1>Error reference</h1>
        <p>
          Every refusal is a problem document (RFC 9457) of the type <code>application/problem+json</code>. Switch on its <code>code</code>:
          the words may change, the code never does. <code>errors</code> lists every problem of the request with its place, and{" "}
          <code>traceId</code> finds the request in the logs.
        </p>
        <nav aria-label="Areas">
          {areas.map(({ area, title }) => (
            <a key={area} href={`#${area}`}>
              {title}
            </a>
          ))}
        </nav>
      </header>
      {areas.map(({ area, title, codes }) => (
        <section key={area} aria-labelledby={area}>
          <h2 id={area}>{title}</h2>
          {codes.map(([code, description]) => (
            <ErrorEntry key={code} code={code} description={description} />
          ))}
        </section>
      ))}
    </main>
  );
}
