import { RotateCw } from "lucide-react";
import type { ErrorDescription } from "#server/model/kernel/errors.ts";
import { capitalised } from "#server/model/kernel/thousands.ts";
import { withCode } from "./text.tsx";

export function ErrorEntry({ code, description }: { code: string; description: ErrorDescription }) {
  const { status, title, meaning, retryable } = description;
  return (
    <article id={code} aria-labelledby={`${code}-title`} className="-mx-3.5 mt-2 rounded-[10px] px-3.5 py-3 target:bg-mark">
      <h3 id={`${code}-title`} className="m-0 flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
        {title}{" "}
        <a href={`#${code}`} className="hover:underline">
          <code>{code}</code>
        </a>
      </h3>
      <p className="mt-1 flex flex-wrap gap-x-4 text-[0.8125rem] text-quiet">
        <span>{status === 200 ? "in the results of a batch" : `status ${status}`}</span>
        {retryable && (
          <span className="flex items-center gap-1.5 text-good">
            <RotateCw aria-hidden className="size-3.5" />
            can be retried
          </span>
        )}
      </p>
      <p className="mt-1">{withCode(meaning)}</p>
    </article>
  );
}

interface Area {
  /** The prefix of its codes. */
  area: string;
  title: string;
  codes: [code: string, description: ErrorDescription][];
}

/** The codes grouped by prefix, in list order. */
export function groupByArea(errors: Readonly<Record<string, ErrorDescription>>): Area[] {
  const areas = Object.groupBy(Object.entries(errors), ([code]) => code.split(".")[0] as string);
  return Object.entries(areas).map(([area, codes = []]) => ({ area, title: titleOf(area), codes }));
}

/** "points_adjustment" as "Points adjustment". */
const titleOf = (area: string): string => capitalised(area.replaceAll("_", " ").replace(/^auth$/, "authentication"));
