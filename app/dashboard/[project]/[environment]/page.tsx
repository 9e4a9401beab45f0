import { environmentPage } from "#web/client/server.tsx";
import { Home } from "#web/home/home.tsx";
import { recentInput } from "#web/settings/audit-log/filter.ts";

export default environmentPage(
  (orpc, scope) => [
    orpc.definitions.catalogue.queryOptions({ input: scope }),
    orpc.analytics.overview.queryOptions({ input: scope }),
    orpc.definitions.scheduled.queryOptions({ input: scope }),
    orpc.events.reception.queryOptions({ input: scope }),
    orpc.notices.list.queryOptions({ input: scope }),
    orpc.auditLog.list.queryOptions({ input: recentInput(scope) }),
  ],
  Home,
);
