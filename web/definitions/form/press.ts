let isHeld = false;

/**
 * Runs something once no mouse button is pressed; at once if none is. A message shown on blur moves the page, and a press whose target
 * moves before the release is no click.
 */
export function afterPress(act: () => void): void {
  if (!isHeld) return act();
  const released = () => {
    for (const type of RELEASES) removeEventListener(type, released, true);
    // The click event follows the release.
    setTimeout(act, 0);
  };
  for (const type of RELEASES) addEventListener(type, released, true);
}

const RELEASES = ["pointerup", "pointercancel"] as const;

/** Tracks the mouse; returns the cleanup. */
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
