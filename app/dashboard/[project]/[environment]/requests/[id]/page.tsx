import { notFound } from "next/navigation";
import { RequestScreen } from "#web/change-requests/request-screen.tsx";
import { type EnvironmentPageProps, scopeFrom, uuid } from "#web/client/address.ts";
import { Prefetch } from "#web/client/server.tsx";

export const metadata = { title: "Change request" };

export default async function RequestPage({ params }: EnvironmentPageProps<{ id: string }>) {
  const id = uuid((await params).id);
  if (id === null) notFound();
  const scope = await scopeFrom(params);
  return (
    <Prefetch
      decide={(orpc) => [orpc.changeRequests.get.queryOptions({ input: { ...scope, id } })]}
      find={(orpc) => [
        orpc.definitions.catalogue.queryOptions({ input: scope }),
        orpc.changeRequests.get.queryOptions({ input: { ...scope, id } }),
      ]}
    >
      <RequestScreen id={id} />
    </Prefetch>
  );
}
