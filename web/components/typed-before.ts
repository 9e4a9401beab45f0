import { type RefObject, useLayoutEffect, useRef, useSyncExternalStore } from "react";

type TextControl = HTMLInputElement | HTMLTextAreaElement;

const subscribe = () => () => {};

/**
 * For controlled inputs: reports text that was typed into the server's HTML before hydration. Without this, the next render would restore
 * the initial value.
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
  // React reports a change only if the value differs from the last one set through the element's own property.
  control.value = control.defaultValue;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control) as TextControl, "value")?.set?.call(control, typed);
  // Autofill events have no input type and open no list; while the user types, their list stays open.
  const inputType = document.activeElement === control ? "insertText" : "";
  control.dispatchEvent(new InputEvent("input", { bubbles: true, inputType }));
}

/** The value after the browser's sanitization: some types strip line breaks or invalid dates. */
function servedValue(control: TextControl): string {
  const untouched = document.createElement(control.localName) as TextControl;
  if (untouched instanceof HTMLInputElement) untouched.type = control.type;
  untouched.value = control.defaultValue;
  return untouched.value;
}
