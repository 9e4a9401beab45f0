import type { Metadata } from "next";
import type { EnvironmentKind } from "../../../../../server/kernel/environment.ts";
import { Prefetch } from "../../../../_client/server.tsx";
import { Keys } from "../../../../_developers/keys.tsx";

export const metadata: Metadata = { title: "API keys" };

export default async function KeysPage({ params }: { params: Promise<{ project: string; environment: string }> }) {
  const { project, environment } = await params;
  const input = { project, environment: environment as EnvironmentKind };
  return (
    <Prefetch find={(orpc) => [orpc.keys.list.queryOptions({ input })]}>
      <Keys />
    </Prefetch>
  );
}
