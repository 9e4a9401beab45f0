import { ORPCError } from "@orpc/client";
import { createTanstackQueryUtils } from "@orpc/tanstack-query";
import { dehydrate, type FetchQueryOptions, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import { notFound, redirect } from "next/navigation";
import { cache, type ReactNode } from "react";
import type { DashboardClient } from "../../server/api/dashboard.ts";
import { currentSessionId } from "../_auth/session.ts";
import { dashboard } from "./dashboard.ts";

/** The dashboard's procedures for a page that is being rendered, called as the person who asked for it. */
export const serverRpc = cache(async (): Promise<DashboardClient> => dashboard().client(await currentSessionId()));

/**
 * What a page needs first, read while it is rendered: `find` gets the query options of the same calls that the screens make, so
 * that they find their answers there. Leads to the sign-in who is not signed in, and to "not found" what is not there.
 *
 *     <Prefetch find={(orpc) => [orpc.definitions.list.queryOptions({ input })]}> … </Prefetch>
 */
export async function Prefetch({ find, children }: { find: (orpc: Utils) => Query[]; children: ReactNode }) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const orpc = createTanstackQueryUtils(await serverRpc());
  await orLeave(Promise.all(find(orpc).map((options) => client.fetchQuery(options as FetchQueryOptions))));
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}

type Utils = ReturnType<typeof createTanstackQueryUtils<DashboardClient>>;
// The options of each query have a type of their own; here they only have to be some.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Query = { queryKey: any; queryFn?: any };

/** Waits for an answer; a refusal for want of a session or a project becomes the page for it. */
export async function orLeave<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ORPCError && error.code === "UNAUTHORIZED") redirect("/sign-in");
    if (error instanceof ORPCError && (error.code === "NOT_FOUND" || error.code === "FORBIDDEN")) notFound();
    throw error;
  }
}
