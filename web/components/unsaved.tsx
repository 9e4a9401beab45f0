import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { guardLeaving, type Leave } from "../client/leaving.ts";
import { ConfirmDialog } from "./overlay.tsx";

/** The browser asks before it leaves the page. */
export function useUnloadGuard(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", onUnload);
    return () => removeEventListener("beforeunload", onUnload);
  }, [isNeeded]);
}

/**
 * Warns before typed input is lost: the browser asks on unload, and the returned dialog before another page of the dashboard; it has to be
 * rendered in the page.
 */
export function useUnsavedGuard(isDirty: boolean) {
  const router = useRouter();
  const [asked, setAsked] = useState<{ leave: Leave } | null>(null);
  useUnloadGuard(isDirty);
  useEffect(() => {
    if (!isDirty) return;
    const ask = (leave: Leave) => setAsked({ leave });
    let isAgreed = false;
    const onClick = (event: MouseEvent) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      if (!(link instanceof HTMLAnchorElement) || link.target === "_blank" || link.origin !== location.origin) return;
      if (link.pathname === location.pathname && link.search === location.search) return;
      event.preventDefault();
      event.stopPropagation();
      ask(() => router.push(link.pathname + link.search + link.hash));
    };
    // Back and Forward. A browser lets a page stop them once after each press in it, so that pressing twice always leaves.
    const onNavigate = (event: NavigateEvent) => {
      if (event.navigationType !== "traverse" || event.hashChange) return;
      // Once: the page that was agreed on may never open.
      if (isAgreed) return void (isAgreed = false);
      if (!event.cancelable) return;
      event.preventDefault();
      const { key } = event.destination;
      ask(() => {
        isAgreed = true;
        navigation.traverseTo(key);
      });
    };
    const endGuard = guardLeaving(ask);
    // Older browsers have no Navigation API.
    const traversals = "navigation" in window ? navigation : null;
    document.addEventListener("click", onClick, { capture: true });
    traversals?.addEventListener("navigate", onNavigate);
    return () => {
      endGuard();
      document.removeEventListener("click", onClick, { capture: true });
      traversals?.removeEventListener("navigate", onNavigate);
    };
  }, [isDirty, router]);
  return (
    <ConfirmDialog
      open={asked !== null}
      onOpenChange={(open) => !open && setAsked(null)}
      title="Leave without saving?"
      confirmLabel="Leave"
      cancelLabel="Keep editing"
      isDanger
      onConfirm={() => asked?.leave()}
    >
      Your unsaved changes will be lost.
    </ConfirmDialog>
  );
}
