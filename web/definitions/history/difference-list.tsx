import { ArrowRight, ChevronRight } from "lucide-react";
import { Fragment } from "react";
import { cx } from "../../components/classes.ts";
import { pointerTo } from "#server/model/rules/naming.ts";
import type { ValueLine } from "../document/value-lines.ts";
import type { DifferenceLine, Field } from "./difference-lines.ts";

/** Each place with its values before and after, labelled for screen readers; a missing value is left out. */
export const DifferenceList = ({ lines, isNew = false }: { lines: readonly Omit<DifferenceLine, "fields">[]; isNew?: boolean }) => (
  <dl className="flex flex-col divide-y divide-line text-[0.8125rem]">
    {lines.map(({ place, before, after }) => (
      <div key={place} className="grid grid-cols-1 gap-x-4 gap-y-1 py-1.5 sm:grid-cols-[minmax(7rem,11rem)_1fr]">
        <dt className="text-quiet wrap-anywhere">{place}</dt>
        <dd className="min-w-0">
          {isNew ? (
            <DifferenceValue lines={after} />
          ) : (
            <div className="flex flex-wrap items-start gap-x-2 gap-y-1">
              {before.length > 0 && <DifferenceValue lines={before} className="bg-bad-soft px-1.5" label="before" />}
              <ArrowRight className="mt-1 size-3.5 shrink-0 text-faint" />
              {after.length > 0 && <DifferenceValue lines={after} className="bg-good-soft px-1.5" label="after" />}
            </div>
          )}
        </dd>
      </div>
    ))}
  </dl>
);

const DifferenceValue = ({ lines, className, label }: { lines: readonly ValueLine[]; className?: string; label?: string }) => (
  <div className={cx("min-w-0 rounded py-0.5 wrap-anywhere whitespace-pre-line", className)}>
    {label && <span className="sr-only">{label}: </span>}
    {lines.map(({ path, text }, at) => (
      <div key={at}>
        {path && <span className="text-quiet">{path}: </span>}
        {text}
      </div>
    ))}
  </div>
);

/** The changed fields as in the definitions file: pointers and JSON. */
export const RawFields = ({ fields }: { fields: readonly Field[] }) => (
  <details className="group/raw py-1.5">
    <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded text-xs text-quiet hover:text-ink [&::-webkit-details-marker]:hidden">
      <ChevronRight className="size-3.5 transition-transform group-open/raw:rotate-90" />
      As in the file
    </summary>
    <dl className="mt-1.5 flex flex-col gap-1 rounded-md bg-sunken p-2 font-mono text-xs wrap-anywhere">
      {fields.map(({ path, before, after }) => (
        <Fragment key={path.join("/")}>
          <dt className="text-quiet">{pointerTo(path)}</dt>
          <dd className="pl-3">
            {before !== null && <div>− {before}</div>}
            {after !== null && <div>+ {after}</div>}
          </dd>
        </Fragment>
      ))}
    </dl>
  </details>
);
