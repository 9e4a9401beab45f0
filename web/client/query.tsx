"use client";

import { ORPCError } from "@orpc/client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useLayoutEffect, useState } from "react";
import { pageSession } from "./rpc.ts";
import { SignInAgain } from "./sign-in-again.tsx";

/** Keeps what the screens have read, and reads it again when the person comes back to them. `person` is the address of who is signed in. */
export function QueryProvider({ person, children }: { person: string; children: ReactNode }) {
  const [client] = useState(openClient);
  // Before the effects in which screens begin to read.
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
        // The service may run on this very machine, or in a network without the rest of the world.
        networkMode: "always",
        staleTime: 15_000,
        // What is refused is refused again.
        retry: (failures, error) => failures < 2 && !(error instanceof ORPCError && error.status < 500),
      },
      mutations: { networkMode: "always" },
    },
  });
