import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useTransition } from "react";
import { forgetWritten } from "./use-address.ts";

/** The page that the user is on, or on the way to. */
let heading = "";

export function headFor(url: string): void {
  heading = new URL(url, location.href).pathname;
  forgetWritten();
}

if (typeof window !== "undefined") headFor(location.href);

/** Opens a page when an action is done, unless the user has gone elsewhere meanwhile or is on the way there. */
export function useOpenAfter() {
  const router = useRouter();
  const [isOpening, startOpening] = useTransition();
  const here = useRef<string | null>(null);
  useEffect(() => {
    here.current = heading;
    return () => void (here.current = null);
  }, []);
  return {
    /** Until the page has loaded, this one is still there: its action must not be repeated. */
    isOpening,
    open: (path: string) => here.current === heading && startOpening(() => router.push(path)),
  };
}

export type Leave = () => void;

/** Asks before unsaved input is lost; null: there is none. */
let ask: ((leave: Leave) => void) | null = null;

/** Puts a question between the user and every other page; returns the way to take it away. */
export function guardLeaving(question: (leave: Leave) => void): () => void {
  ask = question;
  return () => void (ask = null);
}

/** Opens a page that the user has chosen other than by a link, once they agree to lose unsaved input. */
export function useVisit(): (path: string) => void {
  const router = useRouter();
  return useCallback(
    (path) => {
      const leave = () => router.push(path);
      if (ask === null) leave();
      else ask(leave);
    },
    [router],
  );
}
