import type { Metadata } from "next";
import type { Parameters } from "#web/client/parameters.ts";
import { type ScopeParams, scopeFrom } from "#web/client/scope.ts";
import { Prefetch } from "#web/client/server.tsx";
import { Requests } from "#web/developers/requests/requests.tsx";
import { requestFilterFrom, requestsInput } from "#web/developers/events/filters.ts";

export const metadata: Metadata = { title: "Requests · Developers" };

interface Props {
  params: Promise<ScopeParams>;
  searchParams: Promise<Parameters>;
}

export default async function RequestsPage({ params, searchParams }: Props) {
  const scope = await scopeFrom(params);
  const filter = requestFilterFrom(await searchParams);
  return (
    <Prefetch
      find={(orpc) => [
        orpc.requestLog.list.queryOptions({ input: requestsInput(scope, filter, null) }),
        orpc.requestLog.overview.queryOptions({ input: scope }),
      ]}
    >
      {/* A new URL is a new filter: remount the screen. */}
      <Requests key={JSON.stringify(filter)} initialFilter={filter} />
    </Prefetch>
  );
}
