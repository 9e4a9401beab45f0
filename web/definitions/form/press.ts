let isHeld = false;

/**
 * Does something once no button of the mouse is held any more; at once where none is. What is shown when a field is left moves
 * the page below it, and a click whose target has moved between press and release is none.
 */
export function afterPress(act: () => void): void {
  if (!isHeld) return act();
  const released = () => {
    for (const type of RELEASES) removeEventListener(type, released, true);
    // The click itself follows the release.
    setTimeout(act, 0);
  };
  for (const type of RELEASES) addEventListener(type, released, true);
}

const RELEASES = ["pointerup", "pointercancel"] as const;

/** Follows the mouse; answers how to stop. */
export function watchPress(): () => void {
  const press = () => void (isHeld = true);
  const release = () => void (isHeld = false);
  addEventListener("pointerdown", press, true);
  for (const type of RELEASES) addEventListener(type, release, true);
  return () => {
    removeEventListener("pointerdown", press, true);
    for (const type of RELEASES) removeEventListener(type, release, true);
    release();
  };
}
