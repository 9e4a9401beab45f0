import { type Destination, destinations } from "./navigation.ts";

/** The action of a single key; null for none. */
export type KeyAction = "help" | "search" | "create" | "edit" | "act" | "go" | { to: string } | null;

const SINGLE: Record<string, KeyAction> = { "?": "help", "/": "search", c: "create", e: "edit", ".": "act", g: "go" };

/** The action of a key. `isGoing`: `g` was pressed just before, so the key names a screen. */
export function actionOf(key: string, isGoing: boolean, project: string, environment: string): KeyAction {
  if (!isGoing) return SINGLE[key] ?? null;
  const found = goKeys(project, environment).find(({ shortcut }) => shortcut === key);
  return found === undefined ? null : { to: found.href };
}

/** The screens that `g` and a letter open. */
export const goKeys = (project: string, environment: string): (Destination & { shortcut: string })[] =>
  destinations(project, environment, { isOn: true, waiting: 0, undecided: 0 }, "Owner")
    .flatMap(({ items }) => items)
    .flatMap((item) => (item.shortcut === undefined ? [] : [{ ...item, shortcut: item.shortcut }]));

/** The keys besides `g`, for the help. */
export const KEYS: readonly (readonly [key: string, words: string])[] = [
  ["/", "Search this list, or everything"],
  ["c", "Create"],
  ["e", "Edit"],
  [".", "More actions"],
  ["?", "Show all keys"],
];

/** The shortcut of an element, in the attribute that assistive technology reads. */
export const shortcutSelector = (key: string): string => `#content [aria-keyshortcuts~="${key}"]`;
