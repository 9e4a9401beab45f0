"use client";

import { scopeOf } from "../catalogue.ts";
import { useCatalogue } from "../catalogue-query.ts";
import { DifferenceList, RawFields } from "./difference-list.tsx";
import { differenceLines, type Differing } from "./difference-lines.ts";

interface DifferencesProps {
  of: Differing;
  /** A new definition only shows its content. */
  isNew?: boolean;
}

/** A definition's differences in words; the raw fields are collapsed. */
export function Differences({ of: differing, isNew = false }: DifferencesProps) {
  const scope = scopeOf(useCatalogue());
  if (differing.isLong) return <p className="py-1.5 text-[0.8125rem] text-quiet">This difference is too large to show.</p>;
  return (
    <div className="text-[0.8125rem]">
      <DifferenceList lines={differenceLines(differing, scope)} isNew={isNew} />
      <RawFields fields={differing.differences} />
    </div>
  );
}
