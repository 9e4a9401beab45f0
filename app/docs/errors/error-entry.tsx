import type { ErrorDescription } from "../../../server/kernel/errors.ts";

export function ErrorEntry({ code, description }: { code: string; description: ErrorDescription }) {
  const { status, title, meaning, retryable } = description;
  return (
    <article id={code} aria-labelledby={`${code}-title`}>
      <h3 id={`${code}-title`}>
        {title}
        <a className="anchor" href={`#${code}`}>
          <code>{code}</code>
        </a>
      </h3>
      <p className="facts">
        <span>{status === 200 ? "in the results of a batch" : `status ${status}`}</span>
        {retryable && <span className="retryable">may be sent again</span>}
      </p>
      <p>{withCode(meaning)}</p>
    </article>
  );
}

/** Text with `code` in it. */
const withCode = (text: string) => text.split("`").map((piece, index) => (index % 2 === 1 ? <code key={index}>{piece}</code> : piece));
