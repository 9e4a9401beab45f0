import type { ReactNode } from "react";

/** A note that stands out. */
export function Note({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="note" className="my-5 rounded-lg border border-line bg-raised px-4 py-3">
      <p className="mt-0 font-semibold text-ink">{title}</p>
      <div className="text-quiet [&>p:first-child]:mt-1">{children}</div>
    </div>
  );
}
