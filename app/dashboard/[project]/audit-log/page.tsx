import type { Metadata } from "next";
import { AuditLog } from "#web/settings/audit-log/audit-log.tsx";
import { filterFrom, listInput } from "#web/settings/audit-log/filter.ts";
import { Prefetch } from "#web/client/server.tsx";

export const metadata: Metadata = { title: "Audit log" };

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function AuditLogPage({ params, searchParams }: Props) {
  const { project } = await params;
  const filter = filterFrom(await searchParams);
  return (
    <Prefetch
      find={(orpc) => [
        orpc.auditLog.list.queryOptions({ input: listInput(project, filter, null) }),
        orpc.auditLog.facets.queryOptions({ input: { project } }),
      ]}
    >
      <AuditLog initialFilter={filter} />
    </Prefetch>
  );
}
