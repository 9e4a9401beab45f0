import type { ReactNode } from "react";

/** A sticky bar at the bottom of the window with a page's main action. Toasts stay above it (toast-host.tsx). */
export const ActionBar = ({ children }: { children: ReactNode }) => (
  <div
    data-action-bar
    className="sticky bottom-3 z-10 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-overlay px-4 py-3 shadow-overlay"
  >
    {children}
  </div>
);
