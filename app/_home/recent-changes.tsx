"use client";

import { useQuery } from "@tanstack/react-query";
import { orpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import { LinkButton } from "../_components/button.tsx";
import { Card, Skeleton } from "../_components/surface.tsx";
import { Instant } from "../_components/time.tsx";
import { actionWords, subjectWords } from "../_client/subjects.ts";

const SHOWN = 6;

/** The last lines of the audit log that are about this environment. */
export function RecentChanges() {
  const { project, environment, timeZone } = useWhere();
  const { data } = useQuery(orpc.auditLog.list.queryOptions({ input: { project, environment, take: SHOWN } }));
  return (
    <Card
      title="Recent changes"
      padded={false}
      actions={
        <LinkButton size="sm" variant="ghost" href={`/dashboard/${project}/audit-log?environment=${environment}`}>
          Audit log
        </LinkButton>
      }
    >
      {data === undefined ? (
        <Skeleton className="m-4 h-24" />
      ) : data.entries.length === 0 ? (
        <p className="px-4 py-6 text-quiet">
          Nothing was changed here yet. Whoever changes something is noted here, with what they changed.
        </p>
      ) : (
        <ul>
          {data.entries.map(({ id, at, actor, action, subjectKind, subjectKey }) => (
            <li key={id} className="flex items-baseline gap-3 border-b border-line px-4 py-2.5 text-[0.8125rem] last:border-b-0">
              <span className="min-w-0 flex-1 wrap-anywhere">
                <span className="font-medium">{actor}</span> <span className="text-quiet">{actionWords(action)}</span>{" "}
                {subjectWords(subjectKind)}
                {subjectKey && <code className="ml-1 font-mono text-xs">{subjectKey}</code>}
              </span>
              <span className="text-quiet">
                <Instant value={at} timeZone={timeZone} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
