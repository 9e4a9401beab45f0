import type { ReactNode } from "react";

/** A heading that links to itself; the sign appears on hover. */
export function HeadingLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <a href={`#${id}`} className="docs-heading-link">
      {children}
    </a>
  );
}
