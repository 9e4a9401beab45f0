import { type RefObject, useLayoutEffect, useRef, useSyncExternalStore } from "react";

type TextControl = HTMLInputElement | HTMLTextAreaElement;

const subscribe = () => () => {};

/**
 * For a controlled input: what was typed into the server's HTML before React took it over is told like any typing. Without this, the
 * next render would put the initial value back.
 */
export function useTypedBefore<Control extends TextControl>(): RefObject<Control | null> {
  const ref = useRef<Control>(null);
  const isHydrating = useSyncExternalStore(
    subscribe,
    () => false,
    () => true,
  );
  useLayoutEffect(() => {
    if (isHydrating && ref.current !== null) replay(ref.current);
  }, [isHydrating]);
  return ref;
}

function replay(control: TextControl): void {
  const typed = control.value;
  if (typed === servedValue(control)) return;
  // React tells of a value that differs from the last one that was set through the element's own property.
  control.value = control.defaultValue;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control) as TextControl, "value")?.set?.call(control, typed);
  // What fills in forms says no type of input, and opens no list of choices; who still types wants to see theirs.
  const inputType = document.activeElement === control ? "insertText" : "";
  control.dispatchEvent(new InputEvent("input", { bubbles: true, inputType }));
}

/** What the browser made of the value in the HTML: of some types it takes away line breaks, or what is no date. */
function servedValue(control: TextControl): string {
  const untouched = document.createElement(control.localName) as TextControl;
  if (untouched instanceof HTMLInputElement) untouched.type = control.type;
  untouched.value = control.defaultValue;
  return untouched.value;
}
