"use client";

import { ORPCError } from "@orpc/client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useLayoutEffect, useState } from "react";
import { pageSession } from "./rpc.ts";
import { SignInAgain } from "./sign-in-again.tsx";

/** Caches the screens' queries and refetches them when the window regains focus. `person` is the signed-in user's address. */
export function QueryProvider({ person, children }: { person: string; children: ReactNode }) {
  const [client] = useState(openClient);
  // Must run before the effects in which screens start to fetch.
  useLayoutEffect(() => pageSession.begin(person), [person]);
  return (
    <QueryClientProvider client={client}>
      {children}
      <SignInAgain person={person} />
    </QueryClientProvider>
  );
}

const openClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // The service may run on localhost or in a network without internet access.
        networkMode: "always",
        staleTime: 15_000,
        // Refusals are not retried.
        retry: (failures, error) => failures < 2 && !(error instanceof ORPCError && error.status < 500),
      },
      mutations: { networkMode: "always" },
    },
  });
