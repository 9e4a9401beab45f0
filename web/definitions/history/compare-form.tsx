"use client";

import { buttonClasses } from "../../components/button.tsx";

interface CompareProps {
  from: number;
  to: number;
  /** The newest selectable version. */
  newest: number;
  before: string | null;
}

const FIELD = "h-8 w-16 rounded-lg border border-line-strong bg-paper px-2 text-[0.8125rem] tabular-nums";

/** Selects two versions; a native form, so that the comparison has an address. */
export function CompareForm({ from, to, newest, before }: CompareProps) {
  return (
    <form method="get" className="flex flex-wrap items-center gap-1.5 text-[0.8125rem] text-quiet">
      {before !== null && <input type="hidden" name="before" value={before} />}
      <label className="flex items-center gap-1.5">
        Compare
        <input
          className={FIELD}
          name="from"
          type="number"
          min={0}
          max={before === null ? newest : undefined}
          required
          defaultValue={from}
        />
      </label>
      <label className="flex items-center gap-1.5">
        with
        <input className={FIELD} name="to" type="number" min={1} max={before === null ? newest : undefined} required defaultValue={to} />
      </label>
      <button type="submit" className={buttonClasses({ size: "sm" })}>
        Compare
      </button>
    </form>
  );
}
