import type { Metadata } from "next";
import { Prefetch } from "#web/client/server.tsx";
import { Tokens } from "#web/settings/tokens/tokens.tsx";

export const metadata: Metadata = { title: "Tokens" };

export default async function TokensPage({ params }: { params: Promise<{ project: string }> }) {
  const { project } = await params;
  return (
    <Prefetch find={(orpc) => [orpc.tokens.list.queryOptions({ input: { project } })]}>
      <Tokens />
    </Prefetch>
  );
}
