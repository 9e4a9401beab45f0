import { Sparkles } from "lucide-react";
import { cx } from "./classes.ts";

/** The mark of the service, with its name. */
export const Brand = ({ className }: { className?: string }) => (
  <span className={cx("inline-flex items-center gap-2", className)}>
    <span className="flex size-7 shrink-0 items-center justify-center rounded-lg bg-accent-fill text-on-accent">
      <Sparkles className="size-4" aria-hidden />
    </span>
    Engagement service
  </span>
);
