"use client";

import type { AnalyticsSubject } from "../../server/analytics/contract.dashboard.ts";
import type { Kind } from "../../server/definitions/contract.ts";
import { Combobox } from "../_components/combobox.tsx";
import { nameOf, SubjectLink } from "./names.tsx";
import { useReportView } from "./report-view.tsx";

interface Row {
  subject: AnalyticsSubject;
}

interface ChooseSubjectProps {
  kind: Kind;
  label: string;
  rows: readonly Row[];
  chosen: Row;
}

/** Which definition the figures below are of, and a way to it. */
export function ChooseSubject({ kind, label, rows, chosen: { subject } }: ChooseSubjectProps) {
  const { show } = useReportView();
  return (
    <div className="flex flex-wrap items-center gap-3">
      {rows.length > 1 && (
        <Combobox
          aria-label={label}
          className="sm:w-72"
          value={subject.key ?? String(subject.id)}
          onValueChange={(of) => show({ of })}
          options={rows.map((row) => ({ value: row.subject.key ?? String(row.subject.id), label: nameOf(row.subject) }))}
        />
      )}
      <span className="text-[0.8125rem] text-quiet">
        {label}: <SubjectLink kind={kind} subject={subject} />
      </span>
    </div>
  );
}
