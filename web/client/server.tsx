import { ORPCError } from "@orpc/client";
import { createTanstackQueryUtils } from "@orpc/tanstack-query";
import { dehydrate, type FetchQueryOptions, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache, type ComponentType, type ReactNode, Suspense } from "react";
import { Outline } from "../components/surface.tsx";
import type { DashboardClient } from "../../server/api/dashboard.ts";
import { factorPath, signInPath } from "../auth/paths.ts";
import { currentSessionId } from "../auth/session.ts";
import { dashboard } from "./dashboard.ts";
import { type Address, type Parameters, scopeFrom } from "./address.ts";

/** The dashboard's procedures for server rendering, called as the requesting user. */
export const serverRpc = cache(async (): Promise<DashboardClient> => dashboard().client(await currentSessionId()));

/**
 * Runs a page's first queries on the server: `find` returns the query options that the screens use, so they find the answers in their
 * cache. Redirects to the sign-in when signed out, and answers 404 for what does not exist.
 *
 *     <Prefetch find={(orpc) => [orpc.definitions.list.queryOptions({ input })]}> … </Prefetch>
 *
 * The outline is streamed meanwhile, and fixes the status of the response: queries that decide between 200 and 404 belong in `decide`, or
 * in the page itself. For the same reason these pages have no `loading.tsx`.
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

const pageOf =
  <Params, Input>(inputFrom: (params: Promise<Params>) => Promise<Input>) =>
  <State = null,>(find: (orpc: Utils, input: Input, state: State) => Query[], Screen: ComponentType, address?: Address<State>) =>
    async function ScreenPage({ params, searchParams }: { params: Promise<Params>; searchParams: Promise<Parameters> }) {
      const input = await inputFrom(params);
      const state = address?.from(await searchParams) ?? (null as State);
      return (
        <Prefetch find={(orpc) => find(orpc, input, state)}>
          <Screen />
        </Prefetch>
      );
    };

/** An environment page whose screen needs only the scope, and its state in the address where it has one. */
export const environmentPage = pageOf(scopeFrom);

/** The same for a page of the whole project. */
export const projectPage = pageOf((params: Promise<{ project: string }>) => params);

async function Fetched({ client, find, children }: { client: QueryClient; find: Find; children: ReactNode }) {
  await fetchAll(client, find);
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}

async function fetchAll(client: QueryClient, find: Find): Promise<void> {
  const orpc = createTanstackQueryUtils(await serverRpc());
  await orLeave(Promise.all(find(orpc).map((options) => client.fetchQuery(options as FetchQueryOptions).catch(leaveRefusal))));
}

/** A refused query, such as the report of a segment that is off by now, is left to the screen, which sends it again and says why. */
function leaveRefusal(error: unknown): void {
  if (!(error instanceof ORPCError && ["BAD_REQUEST", "REFUSED"].includes(error.code))) throw error;
}

type Find = (orpc: Utils) => Query[];

type Utils = ReturnType<typeof createTanstackQueryUtils<DashboardClient>>;
// The options of each query have a different type; here any will do.
// oxlint-disable-next-line typescript/no-explicit-any
type Query = { queryKey: any; queryFn?: any };

/** Awaits a query; a missing session, second factor or project becomes its own page. */
export async function orLeave<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ORPCError && error.code === "UNAUTHORIZED") redirect(signInPath((await headers()).get("x-path")));
    if (error instanceof ORPCError && error.code === "SECOND_FACTOR_DUE") redirect(factorPath((await headers()).get("x-path")));
    if (error instanceof ORPCError && (error.code === "NOT_FOUND" || error.code === "FORBIDDEN")) notFound();
    throw error;
  }
}
