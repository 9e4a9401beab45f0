import type { Item } from "./filters.ts";

/** The problems of a request or an item, each linked to the reference. */
export const Problems = ({ problems }: { problems: Item["errors"] }) => (
  <ul aria-label="Problems" className="rounded-lg border border-line">
    {problems.map(({ code, message, at }, index) => (
      <li key={index} className="flex flex-col gap-0.5 border-b border-line px-3 py-2 text-[0.8125rem] last:border-b-0">
        <span className="wrap-anywhere">{message}</span>
        <span className="flex flex-wrap gap-x-3 text-xs text-quiet">
          <ErrorCode code={code} />
          {at !== "" && <code className="font-mono wrap-anywhere">{at}</code>}
        </span>
      </li>
    ))}
  </ul>
);

/** A code, linked to its reference. */
export const ErrorCode = ({ code }: { code: string }) => (
  <a href={`/docs/errors#${code}`} className="rounded font-mono text-xs text-accent wrap-anywhere hover:underline">
    {code}
  </a>
);
