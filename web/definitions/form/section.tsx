import { type ReactNode, useId } from "react";
import type { Path } from "#server/model/rules/finding.ts";
import { pointerTo } from "#server/model/rules/naming.ts";
import { FieldProblems } from "./form-field.tsx";

interface SectionProps {
  title: string;
  description?: ReactNode;
  /** Set where the section is a single member of the definition. */
  at?: Path;
  /** Its fields show the problems. */
  isSilent?: boolean;
  children: ReactNode;
}

export function Section({ title, description, at, isSilent, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} data-pointer={at && pointerTo(at)} tabIndex={at ? -1 : undefined} className="scroll-mt-16 outline-none">
      <header className="mb-3">
        <h2 id={id} className="text-sm font-semibold">
          {title}
        </h2>
        {description && <p className="text-[0.8125rem] text-quiet">{description}</p>}
      </header>
      <div className="flex min-w-0 flex-col gap-4 rounded-xl border border-line bg-paper p-4">
        {children}
        {at && !isSilent && <FieldProblems at={at} />}
      </div>
    </section>
  );
}
