"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};
const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** The search shortcut, named for the current platform. */
export const useShortcut = (): string => (useSyncExternalStore(never, isApple, () => true) ? "⌘K" : "Ctrl K");
