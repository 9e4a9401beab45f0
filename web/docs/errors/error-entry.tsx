import { RotateCw } from "lucide-react";
import type { ErrorDescription } from "#server/model/kernel/errors.ts";
import { withCode } from "../text/with-code.tsx";

export function ErrorEntry({ code, description }: { code: string; description: ErrorDescription }) {
  const { status, title, meaning, retryable } = description;
  return (
    <article id={code} aria-labelledby={`${code}-title`} className="docs-error">
      <h3 id={`${code}-title`}>
        {title}{" "}
        <a href={`#${code}`} className="hover:underline">
          <code>{code}</code>
        </a>
      </h3>
      <p className="flex flex-wrap gap-x-4 text-[0.8125rem] text-quiet">
        <span>{status === 200 ? "in the results of a batch" : `status ${status}`}</span>
        {retryable && (
          <span className="flex items-center gap-1.5 text-good">
            <RotateCw aria-hidden className="size-3.5" />
            can be retried
          </span>
        )}
      </p>
      <p>{withCode(meaning)}</p>
    </article>
  );
}
