"use client";

import { ORPCError } from "@orpc/client";
import { MutationCache, notifyManager, QueryClient, QueryClientProvider, type QueryKey } from "@tanstack/react-query";
import { type ReactNode, useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { problemOf } from "../components/problems.tsx";
import type { Toast } from "../components/toast-host.tsx";
import { endFailure, preloadToasts, useToast } from "../components/toast.tsx";
import { useVisit } from "./leaving.ts";
import { pageProof, pageSession, requestMadeBy } from "./service.tsx";
import { SIGNED_IN_CHANNEL, SIGNED_IN_PATH, signInPath } from "../auth/paths.ts";
import { SignInLink } from "../auth/sign-in-link.tsx";
import { Button } from "../components/button.tsx";
import { lazily } from "../components/lazily.tsx";
import { Dialog } from "../components/overlay.tsx";
import type { SessionState } from "./session.ts";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** Title of the toast after a failure; without it the caller shows the error. */
      failure?: string;
      /** The toast after a success, or its title. */
      done?: string | ((answer: never) => Toast) | undefined;
      /** Queries to refetch, even after a failure, since a failed call may have changed something. */
      touches?: readonly QueryKey[];
    };
  }
}

// By default a screen hears by a timer that a call has begun: a key or a press that waited for a busy page came first, and called again.
notifyManager.setScheduler(queueMicrotask);

/** Caches the screens' queries and refetches them when the window regains focus. `person` is the signed-in user's address. */
export function QueryProvider({ person, children }: { person: string; children: ReactNode }) {
  const toast = useToast();
  const visit = useVisit();
  const [client] = useState(() => openClient(toast, visit));
  // Must run before the effects in which screens start to fetch.
  useLayoutEffect(() => pageSession.begin(person), [person]);
  // What tells of a lost connection and of an ended session has to be there before.
  useEffect(() => {
    const load = () => {
      preloadToasts();
      Dialog.preload();
    };
    if ("requestIdleCallback" in window) requestIdleCallback(load);
    else setTimeout(load, 1_000);
  }, []);
  return (
    <QueryClientProvider client={client}>
      {children}
      <SignInAgain person={person} />
      <ConfirmAgain />
    </QueryClientProvider>
  );
}

/** A call became a change request: Live is unchanged until that is approved. */
export const requestedToast = (error: unknown, onView?: () => void): Toast => ({
  title: "Change requested",
  description: `${problemOf(error).startsWith("Saved in") ? "Saved in the Sandbox. " : ""}Live changes once another person approves it.`,
  tone: "info",
  action: onView && { label: "View request", onSelect: onView },
});

function openClient(toast: ReturnType<typeof useToast>, open: (path: string) => void): QueryClient {
  const client: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      onSuccess(answer, _variables, _before, { meta }) {
        if (meta?.failure) endFailure(meta.failure);
        if (meta?.done) toast(typeof meta.done === "string" ? { title: meta.done } : meta.done(answer as never));
      },
      onError(error, _variables, _before, { meta }) {
        const request = requestMadeBy(error);
        if (request !== null) toast(requestedToast(error, () => open(request)));
        else if (meta?.failure) toast({ title: meta.failure, description: problemOf(error), tone: "bad" });
      },
      onSettled(_data, error, _variables, _before, { meta }) {
        const read = Promise.all((meta?.touches ?? []).map((queryKey) => client.invalidateQueries({ queryKey })));
        // A failure is shown at once: reading again may fail or hang as well.
        return error === null ? read : undefined;
      },
    }),
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
  return client;
}

/** Loaded when needed, which most pages never do. */
const ConfirmDialog = lazily(() => import("../auth/confirm-dialog.tsx").then((loaded) => loaded.ConfirmDialog));

function ConfirmAgain() {
  const isAsked = useSyncExternalStore(
    (listener) => pageProof.subscribe(listener),
    () => pageProof.isAnyHeld,
    () => false,
  );
  return isAsked && <ConfirmDialog />;
}

const SIGNED_IN: SessionState = { kind: "signedIn" };

/** Dialog for signing in again after the session has ended. Calls wait meanwhile, and typed input is kept. */
function SignInAgain({ person }: { person: string }) {
  const state = useSyncExternalStore(
    (listener) => pageSession.subscribe(listener),
    () => pageSession.state,
    () => SIGNED_IN,
  );
  const isOut = state.kind !== "signedIn";
  useEffect(() => {
    if (!isOut) return;
    // The sign-in window announces itself; a sign-in elsewhere is noticed when this window regains focus.
    const look = () => void pageSession.look();
    const channel = new BroadcastChannel(SIGNED_IN_CHANNEL);
    channel.addEventListener("message", look);
    addEventListener("focus", look);
    return () => {
      channel.close();
      removeEventListener("focus", look);
    };
  }, [isOut]);
  const isOther = state.kind === "anotherUser";
  return (
    <Dialog
      open={state.kind === "ended" || isOther}
      onOpenChange={(open) => !open && pageSession.postpone()}
      title={isOther ? "Another user is signed in" : "Your session ended"}
      footer={
        <>
          <Button onClick={() => pageSession.postpone()}>Not now</Button>
          {isOther ? (
            <Button variant="primary" onClick={() => location.reload()}>
              Reload the page
            </Button>
          ) : (
            <SignInLink href={signInPath(SIGNED_IN_PATH)}>Sign in</SignInLink>
          )}
        </>
      }
    >
      {isOther ? (
        <p>
          {person} opened this page, and {state.email} has signed in since. Nothing is saved in the name of {state.email}. Reload the page
          to continue as {state.email}; your changes on this page are lost then.
        </p>
      ) : (
        <p>Sign in as {person} in a new window to go on. Everything you typed stays here, and what you were saving is saved then.</p>
      )}
    </Dialog>
  );
}
