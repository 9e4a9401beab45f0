import { ArrowDown, ArrowUp } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { cx } from "../components/classes.ts";
import { formatted } from "../../server/model/kernel/thousands.ts";
import type { Figure } from "#server/model/analytics/sums.ts";
import { changeOf } from "./words.ts";

interface ShownFigure {
  label: string;
  figure: Figure;
  format?(value: number): string;
  /** Which direction is good news; left out where neither is. */
  good?: "up" | "down";
  /** There is no earlier figure to compare with; `note` is shown instead. */
  isStill?: boolean;
  /** Below the figure, in place of the comparison. */
  note?: ReactNode;
  /** Links to the source of the figure. */
  href?: string;
}

/** Large figures side by side, each with its change. */
export const Figures = ({ items, before = "before" }: { items: readonly ShownFigure[]; before?: string }) => (
  <dl className={cx("grid grid-cols-2 gap-3 max-md:[&>:last-child:nth-child(odd)]:col-span-2", columnsFor(items.length))}>
    {items.map((item) => (
      <FigureCard key={item.label} {...item} before={before} />
    ))}
  </dl>
);

/** The number of columns, chosen so that the rows are full where possible. */
const columnsFor = (count: number): string =>
  count % 4 === 0
    ? "md:grid-cols-4"
    : count % 3 === 0
      ? cx("md:grid-cols-3", count > 3 && "xl:grid-cols-6")
      : count === 5
        ? "md:grid-cols-3 xl:grid-cols-5"
        : "md:grid-cols-2";

const FigureCard = ({ label, figure, format = formatted, good, isStill, note, href, before }: ShownFigure & { before: string }) => (
  <div className={cx("relative min-w-0 rounded-xl border border-line bg-paper p-3.5", href && "hover:border-line-strong hover:bg-raised")}>
    <dt className="text-[0.8125rem] text-quiet">
      {href ? (
        <Link href={href} prefetch={false} className="rounded-xl after:absolute after:inset-0">
          {label}
        </Link>
      ) : (
        label
      )}
    </dt>
    <dd className="mt-0.5">
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-2xl font-semibold tracking-tight wrap-anywhere tabular-nums">{format(figure.value)}</span>
        {!isStill && <ChangeWords figure={figure} good={good} />}
      </span>
      <span className="block text-xs text-faint tabular-nums">{note ?? `${format(figure.before)} ${before}`}</span>
    </dd>
  </div>
);

/** "↑ +12%". The sign carries the same information as the colour. */
export function ChangeWords({ figure, good }: { figure: Figure; good?: "up" | "down" }) {
  const change = changeOf(figure);
  if (change === null || change.direction === "same") return null;
  const Arrow = change.direction === "up" ? ArrowUp : ArrowDown;
  const tone = good === undefined ? "text-quiet" : good === change.direction ? "text-good" : "text-bad";
  return (
    <span className={cx("inline-flex items-center gap-0.5 text-xs font-medium whitespace-nowrap tabular-nums", tone)}>
      <Arrow className="size-3" />
      {change.words}
    </span>
  );
}

interface BarItem {
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

/** What changed in a report, in one sentence; nothing if nothing did. */
export const ChangeLine = ({ children }: { children: string | null }) =>
  children === null ? null : <p className="text-base font-medium text-pretty">{children}</p>;
