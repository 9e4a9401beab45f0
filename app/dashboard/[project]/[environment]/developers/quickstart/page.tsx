import type { Metadata } from "next";
import type { EnvironmentKind } from "../../../../../../server/kernel/environment.ts";
import { Prefetch } from "../../../../../_client/server.tsx";
import { Quickstart } from "../../../../../_developers/quickstart.tsx";

export const metadata: Metadata = { title: "Quickstart" };

export default async function QuickstartPage({ params }: { params: Promise<{ project: string; environment: string }> }) {
  const { project, environment } = await params;
  const input = { project, environment: environment as EnvironmentKind };
  return (
    <Prefetch
      find={(orpc) => [
        orpc.definitions.catalogue.queryOptions({ input }),
        orpc.definitions.settings.queryOptions({ input }),
        orpc.events.reception.queryOptions({ input }),
      ]}
    >
      <Quickstart />
    </Prefetch>
  );
}
