import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

const CONTROLS = "input:not([type=hidden]):not([aria-hidden=true]), textarea, button, [tabindex='0']";

export const firstControl = (field: Element | null | undefined): HTMLElement | null => field?.querySelector<HTMLElement>(CONTROLS) ?? null;

/** Scrolls to a field and focuses its first control. */
export function focusIn(field: HTMLElement): void {
  field.scrollIntoView({ block: "center" });
  (firstControl(field) ?? field).focus({ preventScroll: true });
}

type Act = () => void;

/** Runs an act once the states that were set before it are on screen: a control that is inert until then takes no focus. */
export function useAfterRender(): (act: Act) => void {
  const [acts, setActs] = useState<readonly Act[]>([]);
  useEffect(() => {
    if (acts.length === 0) return;
    for (const act of acts) act();
    setActs((now) => now.filter((act) => !acts.includes(act)));
  }, [acts]);
  return useCallback((act) => setActs((now) => [...now, act]), []);
}

/** Gives the focus back to the control that had it, once that is no longer inert. */
export function useFocusKept(isInert: boolean): void {
  const had = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isInert) had.current = document.activeElement;
    else if (had.current instanceof HTMLElement && document.activeElement?.contains(had.current)) had.current.focus();
  }, [isInert]);
}
