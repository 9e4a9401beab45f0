import type { EnvironmentKind } from "../../../../server/kernel/environment.ts";
import { Prefetch } from "../../../_client/server.tsx";
import { Home } from "../../../_home/home.tsx";
import { recentInput } from "../../../_home/recent.ts";

export default async function HomePage({ params }: { params: Promise<{ project: string; environment: string }> }) {
  const { project, environment } = await params;
  const scope = { project, environment: environment as EnvironmentKind };
  return (
    <Prefetch
      find={(orpc) => [
        orpc.definitions.catalogue.queryOptions({ input: scope }),
        orpc.events.reception.queryOptions({ input: scope }),
        orpc.auditLog.list.queryOptions({ input: recentInput(scope) }),
      ]}
    >
      <Home />
    </Prefetch>
  );
}
