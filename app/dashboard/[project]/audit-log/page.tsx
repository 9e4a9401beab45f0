import { AuditLog } from "#web/settings/audit-log/audit-log.tsx";
import { AUDIT_LOG, auditLogInput } from "#web/settings/audit-log/filter.ts";
import { projectPage } from "#web/client/server.tsx";

export const metadata = { title: "Audit log" };

export default projectPage(
  (orpc, { project }, filter) => [
    orpc.auditLog.list.queryOptions({ input: auditLogInput(project, filter, null) }),
    orpc.auditLog.facets.queryOptions({ input: { project } }),
  ],
  AuditLog,
  AUDIT_LOG,
);
