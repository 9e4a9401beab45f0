import { useCallback, useState } from "react";

/**
 * Gives the focus back to what had it when something opened over the page. It is noted while that is about to open: what is
 * inside may take the focus as it appears, before it could be asked who had it.
 */
export function useOpener(isOpen: boolean): () => HTMLElement | boolean {
  const [wasOpen, setWasOpen] = useState(false);
  const [opener, setOpener] = useState<Element | null>(null);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (isOpen) setOpener(document.activeElement);
  }
  return useCallback(() => (opener instanceof HTMLElement && opener.isConnected && opener !== document.body ? opener : true), [opener]);
}
