import { type ComponentType, type ReactNode, useState, useSyncExternalStore } from "react";
import { Button } from "./button.tsx";
import { firstControl } from "./focus.ts";
import { Notice } from "./surface.tsx";

interface Look<Props> {
  /** Shown until it is loaded. */
  waiting?: ReactNode;
  /** Shown in place of one that could not be loaded. */
  failed?(props: Props, retry: () => void): ReactNode;
}

/**
 * A component that is loaded when it is first shown, in the browser only. One that cannot be loaded says so in its place and can be tried
 * again; with React's `lazy` it would take the whole page with it, and all that was typed, and never load.
 */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting = null, failed = (_, retry) => <PartFailed onRetry={retry} /> }: Look<Props> = {},
) {
  let state: { Part: ComponentType<Props> } | "failed" | "loading" | null = null;
  const listeners = new Set<() => void>();
  const set = (next: typeof state) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const preload = () => {
    if (state !== null && state !== "failed") return;
    set("loading");
    load().then(
      (Part) => set({ Part }),
      // A failed preload is forgotten: the part is loaded again when it is shown.
      () => set(listeners.size > 0 ? "failed" : null),
    );
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    preload();
    return () => void listeners.delete(listener);
  };
  function Lazily(props: Props) {
    const now = useSyncExternalStore(
      subscribe,
      () => state,
      () => null,
    );
    const [isRetried, setRetried] = useState(false);
    if (now === null || now === "loading") return waiting;
    const retry = () => {
      setRetried(true);
      preload();
    };
    const shown = now === "failed" ? failed(props, retry) : <now.Part {...props} />;
    return isRetried ? (
      <div key={String(now === "failed")} className="contents" ref={takeFocus}>
        {shown}
      </div>
    ) : (
      shown
    );
  }
  return Object.assign(Lazily, { preload });
}

/** Gives the focus of a pressed "Try again", which is gone, to what is in its place: its control, or else its text. */
function takeFocus(place: HTMLDivElement | null): void {
  const part = place?.firstElementChild;
  if (!(part instanceof HTMLElement) || document.activeElement?.contains(part) !== true) return;
  const taker = part.tabIndex < 0 ? (firstControl(part) ?? part) : part;
  if (taker.tabIndex < 0) taker.tabIndex = -1;
  taker.focus();
}

export const PartFailed = ({ onRetry, className }: { onRetry(): void; className?: string }) => (
  <Notice
    tone="bad"
    title="This part of the page could not be loaded"
    action={
      <Button size="sm" onClick={onRetry}>
        Try again
      </Button>
    }
    className={className}
  >
    Check your connection. If the service was updated since you opened this page, reload it.
  </Notice>
);
