"use client";

import Link from "next/link";
import type { AnalyticsSubject } from "../../server/insight/analytics/contract.dashboard.ts";
import type { Kind } from "../../server/model/definitions/contract.ts";
import { definitionPath } from "../definitions/kinds/index.ts";
import { useWhere } from "../client/where.tsx";

/** A definition's name; deleted ones have none. */
export const nameOf = ({ name, key, id }: AnalyticsSubject): string => name ?? key ?? `Deleted (${id})`;

/** A definition's name, linked. */
export function SubjectLink({ kind, subject }: { kind: Kind; subject: AnalyticsSubject }) {
  const { href } = useWhere();
  if (subject.key === null) return <span className="text-quiet">{nameOf(subject)}</span>;
  return (
    <Link href={href(definitionPath(kind, subject.key))} prefetch={false} className="rounded hover:underline">
      {nameOf(subject)}
    </Link>
  );
}

/** The selected definition: the page's, else the one in the address, else the first. */
export function chosenOf<Row extends { subject: AnalyticsSubject }>(
  rows: readonly Row[],
  named: string | null,
  only: string | undefined,
): Row | undefined {
  const key = only ?? named;
  return rows.find(({ subject }) => subject.key !== null && subject.key === key) ?? (only === undefined ? rows[0] : undefined);
}
