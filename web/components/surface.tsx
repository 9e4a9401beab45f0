import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { formatted } from "../../server/model/kernel/thousands.ts";
import { cx } from "./classes.ts";

interface CardProps extends Omit<ComponentProps<"section">, "title"> {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  /** Without padding, content reaches the border: tables, lists. */
  padded?: boolean;
}

export const Card = ({ title, description, actions, padded = true, className, children, ...rest }: CardProps) => (
  // Clips a table at the end of the card: its own background would cover the round corners.
  <section {...rest} className={cx("min-w-0 rounded-xl border border-line bg-paper", !padded && "overflow-clip", className)}>
    {(title || actions) && (
      <header
        className={cx(
          "flex min-h-11 flex-wrap gap-x-3 gap-y-2 px-4",
          description ? "items-start pt-3" : "items-center pt-2",
          !padded && "border-b border-line",
          !padded && (description ? "pb-3" : "pb-2"),
          !children && "border-b-0 pb-3",
        )}
      >
        <div className="min-w-32 flex-1">
          {title && <h2 className="text-sm font-semibold">{title}</h2>}
          {description && <p className="text-[0.8125rem] text-quiet">{description}</p>}
        </div>
        {actions}
      </header>
    )}
    {children && <div className={cx(padded && (title && !description ? "px-4 pt-2 pb-4" : "p-4"))}>{children}</div>}
  </section>
);

export type Tone = "neutral" | "good" | "warn" | "bad" | "info" | "sandbox" | "live";

const TONES: Record<Tone, string> = {
  neutral: "bg-veil text-quiet",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  info: "bg-accent-soft text-accent",
  sandbox: "bg-sandbox-soft text-sandbox",
  live: "bg-live-soft text-live",
};

export const Badge = ({ tone = "neutral", className, children, ...rest }: { tone?: Tone } & ComponentProps<"span">) => (
  <span
    {...rest}
    className={cx(
      "inline-flex h-5 max-w-full items-center gap-1 rounded-full px-2 text-xs font-medium whitespace-nowrap [&_svg]:size-3",
      TONES[tone],
      className,
    )}
  >
    {children}
  </span>
);

interface EmptyStateProps {
  icon?: ReactNode;
  title: ReactNode;
  /** For an empty state that is the whole page: its title is the page's heading. */
  isPage?: boolean;
  /** For a titled card among others. */
  isCompact?: boolean;
  action?: ReactNode;
  children?: ReactNode;
}

/** Empty state: what belongs here and how to create it. */
export function EmptyState({ icon, title, isPage, isCompact, action, children }: EmptyStateProps) {
  const Heading = isPage ? "h1" : "h2";
  return (
    <div
      className={cx(
        "flex flex-col items-center gap-3 px-6 text-center",
        isCompact ? "py-8" : "py-14",
        isPage && "min-h-[60vh] justify-center",
      )}
    >
      {icon && (
        <div className="flex size-10 items-center justify-center rounded-xl border border-line bg-raised text-quiet [&_svg]:size-5">
          {icon}
        </div>
      )}
      <div className="max-w-md">
        <Heading className="text-sm font-semibold">{title}</Heading>
        {children && <div className="mt-1 text-quiet">{children}</div>}
      </div>
      {action}
    </div>
  );
}

const SIGNS = { neutral: Info, info: Info, good: CircleCheck, warn: TriangleAlert, bad: CircleAlert, sandbox: Info, live: Info };

interface NoticeProps extends Omit<ComponentProps<"div">, "title"> {
  tone?: Tone;
  title?: ReactNode;
  action?: ReactNode;
}

export function Notice({ tone = "info", title, action, className, children, ...rest }: NoticeProps) {
  const Sign = SIGNS[tone];
  return (
    <div
      role={tone === "bad" ? "alert" : undefined}
      {...rest}
      className={cx("flex flex-wrap items-start gap-2.5 rounded-lg px-3 py-2.5 text-[0.8125rem]", TONES[tone], className)}
    >
      <Sign className="mt-0.5 size-4 shrink-0" />
      <div className={cx("min-w-0 flex-1 wrap-anywhere", action && "basis-52")}>
        {title && <div className="font-medium">{title}</div>}
        {children && <div className="text-ink">{children}</div>}
      </div>
      {action}
    </div>
  );
}

export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={cx("h-4 animate-pulse rounded-md bg-veil", className)} />
);

/** While newer data loads, the current one is dimmed. */
export const Dimmed = ({ isStale, className, children }: { isStale: boolean; className?: string; children: ReactNode }) => (
  <div aria-busy={isStale} className={cx("transition-opacity", isStale && "opacity-60", className)}>
    {children}
  </div>
);

/** A term and its description, for use in a `<dl>`. */
export const DefinitionItem = ({ term, children }: { term: ReactNode; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-quiet">{term}</dt>
    <dd className="mt-0.5 wrap-anywhere">{children}</dd>
  </div>
);

export const Kbd = ({ children }: { children: ReactNode }) => (
  <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded border border-line bg-raised px-1 font-sans text-[0.6875rem] text-quiet">
    {children}
  </kbd>
);

/** The count is left out while it is not known. */
export const Counted = ({ label, count }: { label: string; count: number | undefined }) => (
  <>
    {label} {count !== undefined && <span className="font-normal text-faint tabular-nums">{formatted(count)}</span>}
  </>
);

/** Remarks below a result. */
export const Notes = ({ notes }: { notes: readonly string[] }) =>
  notes.length > 0 && (
    <ul className="flex list-disc flex-col gap-1 pl-4 text-xs text-quiet">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );

/** A titled part of a sheet. */
export const Part = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <section>
    <h3 className="mb-1.5 text-sm font-semibold">{title}</h3>
    {children}
  </section>
);

/** A screen's skeleton, in the layout of its parts. */
export const Outline = () => (
  <div className="mx-auto w-full max-w-7xl px-4 pt-5 sm:px-6 lg:px-8" aria-busy="true" aria-label="Loading">
    <Skeleton className="h-7 w-48" />
    <Skeleton className="mt-2 w-80 max-w-full" />
    <div className="mt-6 rounded-xl border border-line">
      {Array.from({ length: 8 }, (_, at) => (
        <div key={at} className="flex h-11 items-center gap-4 border-b border-line px-4 last:border-b-0">
          <Skeleton className="w-1/3" />
          <Skeleton className="w-1/6" />
          <Skeleton className="ml-auto w-16" />
        </div>
      ))}
    </div>
  </div>
);

/** How much of something is done, 0 to 1. */
export function ProgressBar({ label, value }: { label: string; value: number }) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-1.5 w-full overflow-hidden rounded-full bg-line"
    >
      <div className="h-full rounded-full bg-accent-fill transition-[width] duration-500" style={{ width: `${percent}%` }} />
    </div>
  );
}
