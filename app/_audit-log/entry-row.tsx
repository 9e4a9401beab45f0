"use client";

import { ChevronRight } from "lucide-react";
import { changeWords, subjectWords } from "../_client/subjects.ts";
import { useWhere } from "../_client/where.tsx";
import { EnvironmentBadge } from "../_components/environment-badge.tsx";
import { Button, LinkButton } from "../_components/button.tsx";
import { cx } from "../_components/classes.ts";
import { Instant } from "../_components/time.tsx";
import { operatorInWords } from "../../server/rules/describe.ts";
import { pathWords, valueLines } from "../authoring/document/value-lines.ts";
import type { Entry } from "./filter.ts";
import { placeOf, subjectName } from "./subject.ts";

interface Props {
  entry: Entry;
  /** Shows the history of that one thing alone. */
  onSubject(kind: string, key: string): void;
}

/** One change as a sentence; its difference below, when it is opened. */
export function EntryRow({ entry, onSubject }: Props) {
  const { project, timeZone } = useWhere();
  const { at, actor, token, environment, action, subjectKind, subjectKey, changes } = entry;
  const place = placeOf(project, entry);
  const done = changeWords(action, subjectKind);
  const sentence = (
    <>
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
        <span className="font-medium">{actor}</span>
        {token !== null && <span className="text-quiet"> by the token {token}</span>} <span className="text-quiet">{done.action}</span>{" "}
        {done.subject}
        {subjectKey !== null && <code className="ml-1.5 font-mono text-xs">{subjectName(subjectKind, subjectKey, timeZone)}</code>}
      </span>
      <span className="flex items-center gap-3 max-sm:ml-6.5">
        {environment !== null && <EnvironmentBadge environment={environment} />}
        <span className="text-quiet sm:w-28 sm:text-right">
          <Instant value={at} timeZone={timeZone} />
        </span>
      </span>
    </>
  );
  return (
    <li className="border-b border-line text-[0.8125rem] last:border-b-0">
      <details className="group">
        <summary className="flex cursor-pointer list-none flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2.5 hover:bg-raised [&::-webkit-details-marker]:hidden">
          <ChevronRight className="size-3.5 shrink-0 self-center text-faint transition-transform group-open:rotate-90" aria-hidden />
          {sentence}
        </summary>
        <div className="flex flex-col gap-2 px-4 pt-1 pb-3 pl-10.5">
          {changes.length === 0 ? <p className="text-quiet">No details recorded.</p> : <Changes changes={changes} />}
          {subjectKey !== null && (
            <div className="flex flex-wrap gap-2 pt-1">
              {place !== null && (
                <LinkButton size="sm" href={place}>
                  Open the {subjectWords(subjectKind)}
                </LinkButton>
              )}
              <Button size="sm" onClick={() => onSubject(subjectKind, subjectKey)}>
                All changes to this {subjectWords(subjectKind)}
              </Button>
            </div>
          )}
        </div>
      </details>
    </li>
  );
}

const Changes = ({ changes }: { changes: Entry["changes"] }) => (
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
  /** The sign, for who cannot see it. */
  words: string;
  json: string;
  className: string;
}

/** What stood in a place: a word or a number as it is, anything larger part by part. */
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
