"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};
const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys that open a search, as the keyboard at hand calls them. */
export const useShortcut = (): string => (useSyncExternalStore(never, isApple, () => true) ? "⌘K" : "Ctrl K");
