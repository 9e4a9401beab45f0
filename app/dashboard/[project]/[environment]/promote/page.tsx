import type { Metadata } from "next";
import type { EnvironmentKind } from "../../../../../server/kernel/environment.ts";
import { Prefetch } from "../../../../_client/server.tsx";
import { PromoteScreen } from "./promote-screen.tsx";

export const metadata: Metadata = { title: "Promote" };

interface Props {
  params: Promise<{ project: string; environment: string }>;
}

/** Takes definitions from one environment into the other, and in and out of files. */
export default async function PromotePage({ params }: Props) {
  const { project, environment } = await params;
  const input = { project, environment: environment as EnvironmentKind };
  return (
    <Prefetch find={(orpc) => [orpc.definitions.difference.queryOptions({ input })]}>
      <PromoteScreen />
    </Prefetch>
  );
}
