import { type ClientContext, createORPCClient, ORPCError } from "@orpc/client";
import { RPCLink } from "@orpc/client/fetch";
import { SimpleCsrfProtectionLinkPlugin } from "@orpc/client/plugins";
import { createTanstackQueryUtils, OPERATION_CONTEXT_SYMBOL, type OperationContext } from "@orpc/tanstack-query";
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import type { DashboardClient } from "../../server/api/dashboard.ts";
import { SIGNED_IN_AS } from "../../server/api/signed-in-as.ts";
import { PageProof } from "./proof.ts";
import { PageSession } from "./session.ts";
import type { Toast } from "../components/toast-host.tsx";

const url = () => `${location.origin}/rpc`;
const plugins = [new SimpleCsrfProtectionLinkPlugin()];

/** Not wrapped in the session check, which it implements. */
const unchecked: DashboardClient = createORPCClient(new RPCLink({ url, plugins }));

export const pageSession = new PageSession(async () => (await unchecked.tokens.current()).email);

export const pageProof = new PageProof();

const link = new RPCLink<ClientContext & OperationContext>({
  url,
  plugins,
  headers: () => (pageSession.person === null ? {} : { [SIGNED_IN_AS]: encodeURIComponent(pageSession.person) }),
  interceptors: [
    ({ context, next }) => {
      const operation = context[OPERATION_CONTEXT_SYMBOL]?.type;
      return pageSession.call(() => pageProof.call(next), { isRead: operation !== undefined && operation !== "mutation" });
    },
  ],
});

/** RPC client of the dashboard's procedures in the browser. Fails with an ORPCError, whose message is meant for users. */
export const rpc: DashboardClient = createORPCClient(link);

/** The same for TanStack Query: `useQuery(orpc.definitions.list.queryOptions({ input }))`. */
export const orpc = createTanstackQueryUtils(rpc);

/**
 * Runs a user's action. A failure is shown as a toast titled `failure` and rethrown, so that a confirmation dialog stays open; a success as
 * `done` says.
 */
type Attempt = <Answer>(failure: string, act: () => Promise<Answer>, done?: string | ((answer: Answer) => Toast)) => Promise<Answer>;

export const EVERYTHING: QueryKey = [];

/** Runs mutations that have no state of their own; `touches` are the queries to read again, all by default (query.tsx). */
export function useAttempt(touches: QueryKey = EVERYTHING): Attempt {
  const client = useQueryClient();
  return (failure, act, done) =>
    client
      .getMutationCache()
      .build(client, { networkMode: "always", mutationFn: act, meta: { failure, done, touches: [touches] } })
      .execute(undefined);
}

/** The path of the change request that a call became, because changes of Live need an approval; null for any other error. */
export function requestMadeBy(error: unknown): string | null {
  if (!(error instanceof ORPCError) || error.code !== "REQUESTED") return null;
  const { path } = (error.data ?? {}) as { path?: unknown };
  return typeof path === "string" ? path : null;
}
