import type { Metadata } from "next";
import type { Parameters } from "#web/client/parameters.ts";
import { type ScopeParams, scopeFrom } from "#web/client/scope.ts";
import { Prefetch } from "#web/client/server.tsx";
import { Events } from "#web/developers/events/events.tsx";
import { eventFilterFrom, eventsInput } from "#web/developers/events/filters.ts";

export const metadata: Metadata = { title: "Events · Developers" };

interface Props {
  params: Promise<ScopeParams>;
  searchParams: Promise<Parameters>;
}

export default async function EventsPage({ params, searchParams }: Props) {
  const scope = await scopeFrom(params);
  const filter = eventFilterFrom(await searchParams);
  return (
    <Prefetch
      find={(orpc) => [
        orpc.events.tail.queryOptions({ input: eventsInput(scope, filter, null) }),
        orpc.requestLog.overview.queryOptions({ input: scope }),
        orpc.events.unentered.queryOptions({ input: scope }),
      ]}
    >
      {/* A new URL is a new filter: remount the screen. */}
      <Events key={JSON.stringify(filter)} initialFilter={filter} />
    </Prefetch>
  );
}
