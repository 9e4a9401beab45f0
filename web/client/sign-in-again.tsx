"use client";

import { useEffect, useSyncExternalStore } from "react";
import { SIGNED_IN_CHANNEL, SIGNED_IN_PATH, signInPath } from "../auth/paths.ts";
import { Button, buttonClasses } from "../components/button.tsx";
import { Dialog } from "../components/overlay.tsx";
import { pageSession } from "./rpc.ts";
import type { SessionState } from "./session.ts";

const SIGNED_IN: SessionState = { kind: "signedIn" };

/** Dialog for signing in again after the session has ended. Calls wait meanwhile, and typed input is kept. */
export function SignInAgain({ person }: { person: string }) {
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
  const isOther = state.kind === "somebodyElse";
  const href = signInPath(SIGNED_IN_PATH);
  return (
    <Dialog
      open={state.kind === "ended" || isOther}
      onOpenChange={(open) => !open && pageSession.postpone()}
      title={isOther ? "Somebody else is signed in" : "Your session ended"}
      footer={
        <>
          <Button onClick={() => pageSession.postpone()}>Not now</Button>
          {isOther ? (
            <Button variant="primary" onClick={() => location.reload()}>
              Reload the page
            </Button>
          ) : (
            <a
              href={href}
              target="_blank"
              rel="opener"
              className={buttonClasses({ variant: "primary" })}
              // Only windows opened by script can close themselves. Where popups are blocked, the link opens a tab.
              onClick={(event) => open(href, "engagement-sign-in", "popup,width=520,height=720") && event.preventDefault()}
            >
              Sign in
            </a>
          )}
        </>
      }
    >
      {isOther ? (
        <p>
          {person} opened this page, and {state.email} has signed in since. Nothing is saved in the name of {state.email}. Reload the page
          to go on as {state.email}; what was typed here is lost then.
        </p>
      ) : (
        <p>Sign in as {person} in a new window to go on. Everything you typed stays here, and what you were saving is saved then.</p>
      )}
    </Dialog>
  );
}
