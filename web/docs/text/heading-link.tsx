import type { ReactNode } from "react";

/** What a heading says, as a link to itself; a sign shows it under the pointer. */
export function HeadingLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <a href={`#${id}`} className="docs-heading-link">
      {children}
    </a>
  );
}
