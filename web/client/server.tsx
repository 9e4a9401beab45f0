import { ORPCError } from "@orpc/client";
import { createTanstackQueryUtils } from "@orpc/tanstack-query";
import { dehydrate, type FetchQueryOptions, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache, type ComponentType, type ReactNode, Suspense } from "react";
import { Outline } from "../components/outline.tsx";
import type { DashboardClient } from "../../server/api/dashboard.ts";
import { signInPath } from "../auth/paths.ts";
import { currentSessionId } from "../auth/session.ts";
import { dashboard } from "./dashboard.ts";
import { type Scope, type ScopeParams, scopeFrom } from "./scope.ts";

/** The dashboard's procedures for server rendering, called as the requesting user. */
export const serverRpc = cache(async (): Promise<DashboardClient> => dashboard().client(await currentSessionId()));

/**
 * What a page needs first, read while it is rendered: `find` gets the query options of the same calls that the screens make, so
 * that they find their answers there. Leads to the sign-in who is not signed in, and to "not found" what is not there.
 *
 *     <Prefetch find={(orpc) => [orpc.definitions.list.queryOptions({ input })]}> … </Prefetch>
 *
 * The outline of the screen is sent meanwhile, and with it the status of the answer: what tells whether the page is there at all
 * is read by `decide`, or by the page itself, before that. For the same reason no `loading.tsx` stands around these pages.
 */
export async function Prefetch({ decide, find, children }: { decide?: Find; find: Find; children: ReactNode }) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  if (decide !== undefined) await fetchAll(client, decide);
  return (
    <Suspense fallback={<Outline />}>
      <Fetched client={client} find={find}>
        {children}
      </Fetched>
    </Suspense>
  );
}

/** An environment page whose screen needs only the scope. */
export const environmentPage = (find: (orpc: Utils, scope: Scope) => Query[], Screen: ComponentType) =>
  async function EnvironmentPage({ params }: { params: Promise<ScopeParams> }) {
    const scope = await scopeFrom(params);
    return (
      <Prefetch find={(orpc) => find(orpc, scope)}>
        <Screen />
      </Prefetch>
    );
  };

async function Fetched({ client, find, children }: { client: QueryClient; find: Find; children: ReactNode }) {
  await fetchAll(client, find);
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}

async function fetchAll(client: QueryClient, find: Find): Promise<void> {
  const orpc = createTanstackQueryUtils(await serverRpc());
  await orLeave(Promise.all(find(orpc).map((options) => client.fetchQuery(options as FetchQueryOptions))));
}

type Find = (orpc: Utils) => Query[];

type Utils = ReturnType<typeof createTanstackQueryUtils<DashboardClient>>;
// The options of each query have a type of their own; here they only have to be some.
// oxlint-disable-next-line typescript/no-explicit-any
type Query = { queryKey: any; queryFn?: any };

/** Awaits a query; a missing session or project becomes its own page. */
export async function orLeave<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ORPCError && error.code === "UNAUTHORIZED") redirect(signInPath((await headers()).get("x-path")));
    if (error instanceof ORPCError && (error.code === "NOT_FOUND" || error.code === "FORBIDDEN")) notFound();
    throw error;
  }
}
