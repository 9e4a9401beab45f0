import { ArrowRight } from "lucide-react";
import { cx } from "../../../../_components/classes.ts";
import type { Divergence, Place } from "./chosen.ts";
import { pathWords, valueLines } from "../../../../authoring/document/value-lines.ts";

/** What differs in a definition, field by field. */
export function Places({ differences, sign }: Pick<Divergence, "differences" | "sign">) {
  return (
    <dl className="flex flex-col divide-y divide-line text-[0.8125rem]">
      {differences.map((place) => (
        <div key={place.path.join("/")} className="grid grid-cols-1 gap-x-4 gap-y-1 py-1.5 sm:grid-cols-[minmax(8rem,12rem)_1fr]">
          <dt className="text-quiet wrap-anywhere">{pathWords(place.path)}</dt>
          <dd className="min-w-0">{sign === "+" ? <Value json={place.after} /> : <Change {...place} />}</dd>
        </div>
      ))}
    </dl>
  );
}

function Change({ before, after }: Place) {
  return (
    <div className="flex flex-wrap items-start gap-x-2 gap-y-1">
      <Value json={before} className="bg-bad-soft px-1.5" label="before" />
      <ArrowRight className="mt-1 size-3.5 shrink-0 text-faint" aria-hidden />
      <Value json={after} className="bg-good-soft px-1.5" label="after" />
    </div>
  );
}

function Value({ json, className, label }: { json: string | null; className?: string; label?: string }) {
  return (
    <div className={cx("min-w-0 rounded py-0.5 wrap-anywhere whitespace-pre-line", className)}>
      {label && <span className="sr-only">{label}: </span>}
      {valueLines(json).map(({ path, text }) => (
        <div key={path}>
          {path && <span className="text-quiet">{path}: </span>}
          {text}
        </div>
      ))}
    </div>
  );
}
