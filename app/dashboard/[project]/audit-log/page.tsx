import { AuditLog } from "#web/settings/audit-log/audit-log.tsx";
import { AUDIT_LOG, auditLogInput } from "#web/settings/audit-log/filter.ts";
import type { Parameters } from "#web/client/address.ts";
import { Prefetch } from "#web/client/server.tsx";

export const metadata = { title: "Audit log" };

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<Parameters>;
}

export default async function AuditLogPage({ params, searchParams }: Props) {
  const { project } = await params;
  const filter = AUDIT_LOG.from(await searchParams);
  return (
    <Prefetch
      find={(orpc) => [
        orpc.auditLog.list.queryOptions({ input: auditLogInput(project, filter, null) }),
        orpc.auditLog.facets.queryOptions({ input: { project } }),
      ]}
    >
      <AuditLog />
    </Prefetch>
  );
}
