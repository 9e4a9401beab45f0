import type { ReactNode } from "react";
import { formatted } from "../../server/model/kernel/thousands.ts";

export interface BarItem {
  id: string;
  label: ReactNode;
  value: number;
  /** Beside the figure: a share or a change. */
  note?: ReactNode;
}

/** Horizontal bars with their figures; the longest fills the width, unless `whole` sets the scale. */
export function Bars({ items, label, whole }: { items: readonly BarItem[]; label: string; whole?: number }) {
  const longest = Math.max(whole ?? 0, ...items.map(({ value }) => value), 1);
  return (
    <ul aria-label={label} className="flex flex-col gap-3">
      {items.map(({ id, label: name, value, note }) => (
        <li key={id} className="text-[0.8125rem]">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <span className="min-w-0 flex-1 basis-40 wrap-anywhere">{name}</span>
            <span className="font-medium tabular-nums">{formatted(value)}</span>
            {note !== undefined && <span className="min-w-14 text-right text-quiet tabular-nums">{note}</span>}
          </div>
          <div aria-hidden className="mt-1 h-2 rounded-full bg-sunken">
            <div className="h-2 rounded-full bg-accent-fill" style={{ width: `${Math.min(100, (value / longest) * 100)}%` }} />
          </div>
        </li>
      ))}
    </ul>
  );
}
