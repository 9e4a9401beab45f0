import { useCallback, useState } from "react";

/**
 * Restores the focus to the element that had it before an overlay opened. It is noted just before opening, since the overlay's content may
 * take the focus on mount.
 */
export function useOpener(isOpen: boolean): () => HTMLElement | boolean {
  const [wasOpen, setWasOpen] = useState(false);
  const [opener, setOpener] = useState<Element | null>(null);
  // On the server, an overlay that the address opens has no opener.
  if (isOpen !== wasOpen && typeof document !== "undefined") {
    setWasOpen(isOpen);
    if (isOpen) setOpener(document.activeElement);
  }
  return useCallback(() => (opener instanceof HTMLElement && opener.isConnected && opener !== document.body ? opener : true), [opener]);
}
