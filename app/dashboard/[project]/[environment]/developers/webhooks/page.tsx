import type { Metadata } from "next";
import type { EnvironmentKind } from "../../../../../../server/kernel/environment.ts";
import { Prefetch } from "../../../../../_client/server.tsx";
import { Endpoints } from "../../../../../_developers/endpoints.tsx";

export const metadata: Metadata = { title: "Webhooks" };

export default async function WebhooksPage({ params }: { params: Promise<{ project: string; environment: string }> }) {
  const { project, environment } = await params;
  const input = { project, environment: environment as EnvironmentKind };
  return (
    <Prefetch find={(orpc) => [orpc.webhooks.list.queryOptions({ input })]}>
      <Endpoints />
    </Prefetch>
  );
}
