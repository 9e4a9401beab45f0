import { useSyncExternalStore } from "react";

const never = () => () => {};
const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** The key of shortcuts on the current platform. */
export const useCommandKey = (): string => (useSyncExternalStore(never, isApple, () => true) ? "⌘" : "Ctrl ");

export const useShortcut = (): string => `${useCommandKey()}K`;
