import { useCallback, useState } from "react";

/**
 * Returns the focus to the element that had it before an overlay opened. If the overlay's action removed that element, the nearest control
 * that is left gets the focus. The element is noted just before opening, since the overlay's content may take the focus on mount.
 */
export function useOpener(isOpen: boolean): () => HTMLElement | boolean {
  const [wasOpen, setWasOpen] = useState(false);
  const [openers, setOpeners] = useState<Element[]>([]);
  // On the server, an overlay that the address opens has no opener.
  if (isOpen !== wasOpen && typeof document !== "undefined") {
    setWasOpen(isOpen);
    if (isOpen) setOpeners(withAncestors(document.activeElement));
  }
  return useCallback(() => {
    const { activeElement } = document;
    // The overlay's action has moved it already, such as to the first wrong field of the form below.
    if (activeElement !== document.body && activeElement?.closest("[data-base-ui-portal]") === null) return false;
    const [opener, ...around] = openers;
    if (opener instanceof HTMLElement && opener.isConnected) return opener;
    return nearestControl(around) ?? true;
  }, [openers]);
}

/** The first control that is left in elements from the inside out. */
export function nearestControl(around: readonly Element[]): HTMLElement | undefined {
  for (const place of around) {
    const left = [...place.querySelectorAll<HTMLElement>("a[href], button:enabled, input:enabled")].find(
      (control) => control.isConnected && control.tabIndex >= 0 && control.checkVisibility(),
    );
    if (left !== undefined) return left;
  }
  return undefined;
}

/** The element and those around it, from the inside out, below the body. */
export function withAncestors(element: Element | null): Element[] {
  if (element === null || element === document.body) return [];
  return [element, ...withAncestors(element.parentElement)];
}

/**
 * Whether an overlay of these roles takes the keys. Base UI marks one that is closing, after which the next key may follow immediately. A
 * toast is a dialog as well, which takes none.
 */
export const isOpen = (...roles: ("dialog" | "alertdialog" | "menu" | "listbox")[]): boolean =>
  document.querySelector(`:is(${roles.map((role) => `[role=${role}]`).join()}):not([data-closed], [data-closed] *, [aria-modal=false])`) !==
  null;
