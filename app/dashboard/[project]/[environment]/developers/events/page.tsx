import { environmentPage } from "#web/client/server.tsx";
import { EventsScreen } from "#web/developers/events/events.tsx";
import { EVENTS, eventsInput } from "#web/developers/events/filters.ts";

export const metadata = { title: "Events · Developers" };

export default environmentPage(
  (orpc, scope, filter) => [
    orpc.events.tail.queryOptions({ input: eventsInput(scope, filter, null) }),
    orpc.requestLog.overview.queryOptions({ input: scope }),
    orpc.events.unentered.queryOptions({ input: scope }),
  ],
  EventsScreen,
  EVENTS,
);
