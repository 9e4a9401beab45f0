import { Sparkles } from "lucide-react";
import { cx } from "./classes.ts";

/** The service's logo and name; on a phone, optionally the logo alone. */
export const Brand = ({ className, isMarkOnPhones = false }: { className?: string; isMarkOnPhones?: boolean }) => (
  <span className={cx("inline-flex items-center gap-2", className)}>
    <span className="flex size-7 shrink-0 items-center justify-center rounded-lg bg-accent-fill text-on-accent">
      <Sparkles className="size-4" />
    </span>
    <span className={cx(isMarkOnPhones && "max-sm:sr-only")}>Engagement service</span>
  </span>
);
