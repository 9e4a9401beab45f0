import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { ConfirmDialog } from "./overlay.tsx";

/**
 * Warns before typed input is lost: the browser asks on unload, and the returned dialog asks on internal links; it has to be rendered in
 * the page.
 */
export function useUnsavedGuard(isDirty: boolean) {
  const router = useRouter();
  const [leavingFor, setLeavingFor] = useState<string | null>(null);
  useEffect(() => {
    if (!isDirty) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      if (!(link instanceof HTMLAnchorElement) || link.target === "_blank" || link.origin !== location.origin) return;
      if (link.pathname === location.pathname && link.search === location.search) return;
      event.preventDefault();
      event.stopPropagation();
      setLeavingFor(link.pathname + link.search + link.hash);
    };
    addEventListener("beforeunload", onUnload);
    document.addEventListener("click", onClick, { capture: true });
    return () => {
      removeEventListener("beforeunload", onUnload);
      document.removeEventListener("click", onClick, { capture: true });
    };
  }, [isDirty]);
  return (
    <ConfirmDialog
      open={leavingFor !== null}
      onOpenChange={(open) => !open && setLeavingFor(null)}
      title="Leave without saving?"
      confirmLabel="Leave"
      cancelLabel="Keep editing"
      isDanger
      onConfirm={() => leavingFor !== null && router.push(leavingFor)}
    >
      Your unsaved changes will be lost.
    </ConfirmDialog>
  );
}
