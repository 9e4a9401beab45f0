import type { Metadata } from "next";
import { Prefetch } from "#web/client/server.tsx";
import { Members } from "#web/settings/members/members.tsx";

export const metadata: Metadata = { title: "Members" };

export default async function MembersPage({ params }: { params: Promise<{ project: string }> }) {
  const { project } = await params;
  return (
    <Prefetch find={(orpc) => [orpc.members.list.queryOptions({ input: { project } })]}>
      <Members />
    </Prefetch>
  );
}
