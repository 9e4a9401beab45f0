"use client";

import { useQuery } from "@tanstack/react-query";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { cx } from "../../components/classes.ts";
import { ReadFailed } from "../../components/problems.tsx";
import { Skeleton } from "../../components/surface.tsx";
import { operatorInWords } from "#server/model/rules/describe.ts";
import { pathWords, valueLines } from "../../definitions/document/value-lines.ts";
import type { Entry } from "./filter.ts";

/** An entry's changes, where they are too long for the list response. */
export function LongChanges({ id }: { id: string }) {
  const { project } = useWhere();
  const { data, error, refetch } = useQuery(orpc.auditLog.changes.queryOptions({ input: { project, id } }));
  if (error) return <ReadFailed title="The changes could not be loaded" error={error} onRetry={refetch} />;
  if (data === undefined) return <Skeleton className="h-16" />;
  return data.isCut ? (
    <p className="text-quiet">This change is too large to show. Export the log to read it.</p>
  ) : (
    <Changes changes={data.changes} />
  );
}

/** An entry's changes, field by field. */
export const Changes = ({ changes }: { changes: Entry["changes"] }) => (
  <dl className="flex flex-col gap-1.5">
    {changes.map(({ path, before, after }, at) => (
      <div key={at} className={cx("grid gap-x-3 gap-y-0.5", path && "sm:grid-cols-[minmax(6rem,12rem)_1fr]")}>
        <dt className={cx("text-quiet wrap-anywhere", !path && "sr-only")}>{path ? pathWords(path.split(" / ")) : "All of it"}</dt>
        <dd className="flex min-w-0 flex-col gap-0.5">
          {before !== null && <Value sign="−" words="Before" json={before} className="bg-bad-soft text-bad" />}
          {after !== null && <Value sign="+" words="After" json={after} className="bg-good-soft text-good" />}
        </dd>
      </div>
    ))}
  </dl>
);

interface ValueProps {
  sign: string;
  /** The sign, for screen readers. */
  words: string;
  json: string;
  className: string;
}

/** A field's value: scalars inline, larger values part by part. */
function Value({ sign, words, json, className }: ValueProps) {
  const said = <span className="sr-only">{words}: </span>;
  if (!/^[[{]/.test(json)) {
    return (
      <span className={cx("rounded px-1.5 py-0.5 font-mono text-xs wrap-anywhere", className)}>
        {said}
        {sign} {operatorInWords(json.slice(1, -1)) ?? json}
      </span>
    );
  }
  return (
    <div className={cx("flex gap-1.5 rounded px-1.5 py-1 text-xs", className)}>
      {said}
      <span aria-hidden className="font-mono">
        {sign}
      </span>
      <ul className="min-w-0 flex-1">
        {valueLines(json).map(({ path, text }, at) => (
          <li key={at} className="grid gap-x-3 wrap-anywhere sm:grid-cols-[minmax(6rem,14rem)_1fr]">
            {path && <span>{path}</span>}
            <span className="text-ink">{text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
