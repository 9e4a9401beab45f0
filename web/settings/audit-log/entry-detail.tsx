import { subjectWords } from "../../client/subjects.ts";
import { orpc, useWhere } from "../../client/service.tsx";
import { Button, SmallLink } from "../../components/button.tsx";
import type { AuditLogEntry } from "./filter.ts";
import { subjectHref } from "./subject.ts";
import { useQuery } from "@tanstack/react-query";
import { cx } from "../../components/classes.ts";
import { Loaded } from "../../components/problems.tsx";
import { operatorInWords } from "#server/model/rules/describe.ts";
import { pathInWords } from "../../definitions/document/labels.ts";
import { valueLines } from "../../definitions/document/value-lines.ts";

/** An entry's changes, field by field, and related links. */
export function EntryDetail({ entry, onSubject }: { entry: AuditLogEntry; onSubject(kind: string, key: string): void }) {
  const { project } = useWhere();
  const { subjectKind, subjectKey, changes, isLong } = entry;
  const href = subjectHref(project, entry);
  return (
    <>
      {isLong ? (
        <LongChanges id={entry.id} />
      ) : changes.length === 0 ? (
        <p className="text-quiet">No details recorded.</p>
      ) : (
        <Changes changes={changes} />
      )}
      {subjectKey !== null && (
        <div className="flex flex-wrap gap-2 pt-1">
          {href !== null && <SmallLink href={href}>Open the {subjectWords(subjectKind)}</SmallLink>}
          <Button size="sm" onClick={() => onSubject(subjectKind, subjectKey)}>
            All changes to this {subjectWords(subjectKind)}
          </Button>
        </div>
      )}
    </>
  );
}

/** An entry's changes, where they are too long for the list response. */
function LongChanges({ id }: { id: string }) {
  const { project } = useWhere();
  const found = useQuery(orpc.auditLog.changes.queryOptions({ input: { project, id } }));
  return (
    <Loaded of={found} what="The changes" className="h-16">
      {({ isCut, changes }) =>
        isCut ? <p className="text-quiet">This change is too large to show. Export the log to read it.</p> : <Changes changes={changes} />
      }
    </Loaded>
  );
}

const Changes = ({ changes }: { changes: AuditLogEntry["changes"] }) => (
  <dl className="flex flex-col gap-1.5">
    {changes.map(({ path, before, after }, at) => (
      <div key={at} className={cx("grid gap-x-3 gap-y-0.5", path && "sm:grid-cols-[minmax(6rem,12rem)_1fr]")}>
        <dt className={cx("text-quiet wrap-anywhere", !path && "sr-only")}>{path ? pathInWords(path.split(" / ")) : "All of it"}</dt>
        <dd className="flex min-w-0 flex-col gap-0.5">
          {before !== null && <ChangedValue sign="−" words="Before" json={before} className="bg-bad-soft text-bad" />}
          {after !== null && <ChangedValue sign="+" words="After" json={after} className="bg-good-soft text-good" />}
        </dd>
      </div>
    ))}
  </dl>
);

interface ValueProps {
  sign: string;
  /** What the sign means, for screen readers. */
  words: string;
  json: string;
  className: string;
}

/** A field's value: scalars inline, larger values part by part. */
function ChangedValue({ sign, words, json, className }: ValueProps) {
  const label = <span className="sr-only">{words}: </span>;
  if (!/^[[{]/.test(json)) {
    return (
      <span className={cx("rounded px-1.5 py-0.5 font-mono text-xs wrap-anywhere", className)}>
        {label}
        {sign} {operatorInWords(json.slice(1, -1)) ?? json}
      </span>
    );
  }
  return (
    <div className={cx("flex gap-1.5 rounded px-1.5 py-1 text-xs", className)}>
      {label}
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
