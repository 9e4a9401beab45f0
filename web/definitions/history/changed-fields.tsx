import { type ReactNode, useId, useState } from "react";
import { ChevronRight } from "lucide-react";
import { plural } from "#server/model/kernel/thousands.ts";
import { cx } from "../../components/classes.ts";

interface ChangedFieldsProps {
  sign: "+" | "~";
  fields: number;
  /** The definition, for screen readers. */
  of: string;
  isOpenAtFirst: boolean;
  className: string;
  children: ReactNode;
}

/** A fold over the changed fields of a definition; its content is rendered while it is open. */
export function ChangedFields({ sign, fields, of, isOpenAtFirst, className, children }: ChangedFieldsProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const id = useId();
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="-ml-1 flex h-6 items-center gap-1 rounded px-1 text-[0.8125rem] text-quiet hover:bg-sunken hover:text-ink"
      >
        <ChevronRight className={cx("size-3.5 transition-transform", isOpen && "rotate-90")} />
        {sign === "+" ? plural(fields, "field") : `${plural(fields, "field")} changed`}
        <span className="sr-only"> of {of}</span>
      </button>
      <div id={id} hidden={!isOpen} className={cx("mt-1", className)}>
        {isOpen && children}
      </div>
    </>
  );
}
