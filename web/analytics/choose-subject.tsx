"use client";

import { ChevronsUpDown } from "lucide-react";
import type { AnalyticsSubject } from "../../server/insight/analytics/contract.dashboard.ts";
import type { Kind } from "../../server/model/definitions/contract.ts";
import { definitionPath } from "../definitions/kinds/index.ts";
import { useWhere } from "../client/where.tsx";
import { Button, LinkButton } from "../components/button.tsx";
import { Menu } from "../components/overlay.tsx";
import { nameOf } from "./names.tsx";
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

/** Selects the definition shown below, and links to it. */
export function ChooseSubject({ kind, label, rows, chosen: { subject } }: ChooseSubjectProps) {
  const { show } = useReportView();
  const { href } = useWhere();
  return (
    <div className="flex flex-wrap items-center gap-3">
      {rows.length === 1 ? (
        <h2 className="text-sm font-semibold">{nameOf(subject)}</h2>
      ) : (
        <Menu
          align="start"
          trigger={
            <Button aria-label={`${label}: ${nameOf(subject)}`} className="max-w-full">
              <span className="truncate">{nameOf(subject)}</span>
              <ChevronsUpDown aria-hidden />
            </Button>
          }
          items={rows.map((row) => ({
            label: nameOf(row.subject),
            isChosen: row.subject.id === subject.id,
            onSelect: () => show({ of: row.subject.key }),
          }))}
        />
      )}
      {subject.key !== null && (
        <LinkButton href={href(definitionPath(kind, subject.key))} prefetch={false} variant="ghost">
          Open the {label.toLowerCase()}
        </LinkButton>
      )}
    </div>
  );
}
