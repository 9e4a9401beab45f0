import type { ReactNode } from "react";
import { HeadingLink } from "./heading-link.tsx";

export interface SectionProps {
  id: string;
  title: string;
  children?: ReactNode;
}

/** A part of a page under a heading that can be linked to. */
export function Section({ id, title, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="docs-prose mt-12">
      <h2 id={id} className="group">
        <HeadingLink id={id}>{title}</HeadingLink>
      </h2>
      {children}
    </section>
  );
}
