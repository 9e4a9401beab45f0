"use client";

import { ORPCError } from "@orpc/client";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { signInPath } from "../_auth/paths.ts";

/** Keeps what the screens have read, and reads it again when somebody comes back to them. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(openClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

const openClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: leaveIfSignedOut }),
    mutationCache: new MutationCache({ onError: leaveIfSignedOut }),
    defaultOptions: {
      queries: {
        // The service may run on this very machine, or in a network without the rest of the world.
        networkMode: "always",
        staleTime: 15_000,
        // What is refused is refused again.
        retry: (failures, error) => failures < 2 && !(error instanceof ORPCError && error.status < 500),
      },
      mutations: { networkMode: "always" },
    },
  });

/** A session may end while a page is open: the person signs in again, and comes back. */
function leaveIfSignedOut(error: unknown): void {
  if (!(error instanceof ORPCError) || error.code !== "UNAUTHORIZED") return;
  location.assign(signInPath(location.pathname + location.search));
}
