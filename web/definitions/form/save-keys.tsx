"use client";

import { useSyncExternalStore } from "react";
import { Kbd } from "../../components/surface.tsx";

const never = () => () => {};
const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** The save shortcut, named for the current platform. */
export function SaveKeys() {
  const first = useSyncExternalStore(never, isApple, () => true) ? "⌘" : "Ctrl";
  return (
    <span className="hidden items-center gap-1 sm:flex" aria-hidden>
      <Kbd>{first}</Kbd>
      <Kbd>S</Kbd>
    </span>
  );
}
