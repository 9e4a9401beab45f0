import { useEffect, useSyncExternalStore } from "react";
import { useVisit } from "../client/leaving.ts";
import { isOpen } from "../components/opener.ts";
import { actionOf, shortcutSelector } from "./keys.ts";

/** How long `g` waits for its letter. */
const GO_MS = 1_500;

/** Whether a key is not for the page, because the user is typing or choosing, or an overlay is open. */
const isTaken = ({ target, ctrlKey, metaKey, altKey, isComposing, defaultPrevented }: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  isComposing ||
  defaultPrevented ||
  !areKeysOn() ||
  (target instanceof Element && target.closest(TYPING) !== null) ||
  isOpen("dialog", "alertdialog", "menu", "listbox");

const TYPING =
  "textarea, select, [contenteditable], [role=combobox], input:not([type=checkbox], [type=radio], [type=button], [type=submit])";

interface Keys {
  project: string;
  environment: string;
  /** Opens the palette. */
  search(): void;
  /** Opens the list of keys. */
  help(): void;
}

/** Single keys anywhere in a project: `?` shows them all. */
export function useKeys({ project, environment, search, help }: Keys): void {
  const visit = useVisit();
  useEffect(() => {
    let goingSince = -Infinity;
    const onKey = (event: KeyboardEvent) => {
      if (isTaken(event)) return;
      const isGoing = event.timeStamp - goingSince < GO_MS;
      goingSince = -Infinity;
      const action = actionOf(event.key, isGoing, project, environment);
      if (action === null) return;
      event.preventDefault();
      if (action === "go") goingSince = event.timeStamp;
      else if (action === "help") help();
      else if (action === "search") focusOn(document.querySelector<HTMLInputElement>('#content input[type="search"]')) || search();
      else if (typeof action === "object") visit(action.to);
      else if (!press(event.key) && action === "create") search();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [project, environment, search, help, visit]);
}

function focusOn(input: HTMLInputElement | null): boolean {
  input?.focus();
  input?.select();
  return input !== null;
}

/** Presses the element with that shortcut; false if the page has none. */
function press(key: string): boolean {
  const element = document.querySelector<HTMLElement>(shortcutSelector(key));
  element?.click();
  return element !== null;
}

const STORED = "engagement.keys";
const listeners = new Set<() => void>();

const areKeysOn = (): boolean => localStorage.getItem(STORED) !== "off";

/** Whether single keys are on in this browser: speech input may press them by mistake. */
export const useKeysSetting = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    areKeysOn,
    () => true,
  );

export function turnKeys(on: boolean): void {
  if (on) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, "off");
  for (const listener of listeners) listener();
}
