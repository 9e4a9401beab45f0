import { environmentPage } from "#web/client/server.tsx";
import { REQUESTS, requestsInput } from "#web/developers/events/filters.ts";
import { Requests } from "#web/developers/requests/requests.tsx";

export const metadata = { title: "Requests · Developers" };

export default environmentPage(
  (orpc, scope, filter) => [
    orpc.requestLog.list.queryOptions({ input: requestsInput(scope, filter, null) }),
    orpc.requestLog.overview.queryOptions({ input: scope }),
  ],
  Requests,
  REQUESTS,
);
