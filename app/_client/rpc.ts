import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/fetch";
import { SimpleCsrfProtectionLinkPlugin } from "@orpc/client/plugins";
import { createTanstackQueryUtils } from "@orpc/tanstack-query";
import type { DashboardClient } from "../../server/api/dashboard.ts";

const link = new RPCLink({
  url: () => `${location.origin}/rpc`,
  plugins: [new SimpleCsrfProtectionLinkPlugin()],
});

/** The dashboard's procedures, called from the browser. Fails with an ORPCError, whose words are for people. */
export const rpc: DashboardClient = createORPCClient(link);

/** The same for TanStack Query: `useQuery(orpc.definitions.list.queryOptions({ input }))`. */
export const orpc = createTanstackQueryUtils(rpc);
