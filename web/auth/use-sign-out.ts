import { unstable_rethrow } from "next/navigation";
import { useCallback } from "react";
import { actionProblemOf } from "../components/problems.tsx";
import { useToast } from "../components/toast.tsx";
import { endSession } from "./actions.ts";

/** Ends the session. A failure is shown, since the user would leave the browser signed in. */
export function useSignOut(): () => Promise<void> {
  const toast = useToast();
  const signOut = useCallback(async () => {
    try {
      await endSession();
    } catch (error) {
      // The redirect to the sign-in page arrives as an error too.
      unstable_rethrow(error);
      toast({ tone: "bad", title: "You may still be signed in", description: actionProblemOf(error) });
    }
  }, [toast]);
  // Rendered by the server with the action itself, a form signs out before the page's scripts have arrived, too.
  return typeof window === "undefined" ? endSession : signOut;
}
