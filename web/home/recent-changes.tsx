import { useQuery } from "@tanstack/react-query";
import { type AuditLogEntry, recentInput } from "../settings/audit-log/filter.ts";
import { doneWords, subjectHref } from "../settings/audit-log/subject.ts";
import { SubjectName } from "../settings/audit-log/subject-name.tsx";
import { nameIn, isKind } from "../definitions/kinds/index.ts";
import { orpc, useRead, useWhere } from "../client/service.tsx";
import { MoreLink, TextLink } from "../components/button.tsx";
import { Loaded } from "../components/problems.tsx";
import { Card } from "../components/surface.tsx";
import { Instant } from "../components/time.tsx";

/** What was changed, linked if it still exists. A definition is named as in the lists, a deleted one by its key. */
function Subject({ entry }: { entry: AuditLogEntry }) {
  const { subjectKind, subjectKey } = entry;
  const href = subjectHref(useWhere().project, entry);
  const { data: catalogue } = useRead(orpc.definitions.catalogue);
  const known = isKind(subjectKind) ? nameIn(catalogue, subjectKind, subjectKey) : undefined;
  const name = known === undefined ? <SubjectName entry={entry} /> : <bdi>{known}</bdi>;
  return href === null ? (
    name
  ) : (
    <TextLink href={href} className="font-normal">
      {name}
    </TextLink>
  );
}

function Change({ entry }: { entry: AuditLogEntry }) {
  const { action, subject } = doneWords(entry);
  return (
    <li className="flex items-baseline gap-3 border-b border-line px-4 py-2.5 text-[0.8125rem] last:border-b-0 max-sm:flex-col max-sm:gap-0">
      <span className="min-w-0 flex-1 wrap-anywhere">
        <span className="font-medium">{entry.actor}</span> <span className="text-quiet">{action}</span> {subject} <Subject entry={entry} />
      </span>
      <span className="text-quiet">
        <Instant value={entry.at} />
      </span>
    </li>
  );
}

export function RecentChanges() {
  const { project, environment } = useWhere();
  const changes = useQuery(orpc.auditLog.list.queryOptions({ input: recentInput({ project, environment }) }));
  return (
    <Card
      title="Recent changes"
      padded={false}
      actions={<MoreLink href={`/dashboard/${project}/audit-log?environment=${environment}`}>Audit log</MoreLink>}
    >
      <Loaded of={changes} what="The changes" isInset className="h-24">
        {({ entries }) =>
          entries.length === 0 ? (
            <p className="px-4 py-6 text-quiet">No changes yet. Every change is listed here with who made it.</p>
          ) : (
            <ul>
              {entries.map((entry) => (
                <Change key={entry.id} entry={entry} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
