import { environmentPage } from "#web/client/server.tsx";
import { REQUESTS, requestsInput } from "#web/change-requests/requests-filter.ts";
import { RequestsScreen } from "#web/change-requests/requests-screen.tsx";

export const metadata = { title: "Change requests" };

export default environmentPage(
  (orpc, scope, filter) => [orpc.changeRequests.list.queryOptions({ input: requestsInput(scope, filter, null) })],
  RequestsScreen,
  REQUESTS,
);
