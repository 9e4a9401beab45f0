"use client";

import { Field as BaseField } from "@base-ui/react/field";
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./classes.ts";

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** The error and how to fix it; empty or undefined: none. */
  error?: ReactNode;
  /** Marks an optional field. */
  optional?: boolean;
  required?: boolean;
  /** For screen readers only, where the context is visible. */
  isLabelHidden?: boolean;
  /** Beside the label. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A control with label, hint and error; the control finds them through context. */
export function Field({ label, hint, error, optional, required, isLabelHidden, aside, className, children }: FieldProps) {
  return (
    <BaseField.Root invalid={Boolean(error)} className={cx("flex min-w-0 flex-col gap-1.5", className)}>
      <div className={cx("flex items-baseline gap-2", isLabelHidden && !aside && "sr-only")}>
        <BaseField.Label className={cx("text-[0.8125rem] font-medium text-ink", isLabelHidden && "sr-only")}>
          {label}
          {required && (
            <span className="text-bad" aria-hidden>
              {" "}
              *
            </span>
          )}
        </BaseField.Label>
        {optional && <span className="text-xs text-faint">optional</span>}
        {aside && <div className="ml-auto">{aside}</div>}
      </div>
      {children}
      {error && <FieldError>{error}</FieldError>}
      {hint && <BaseField.Description className="text-xs text-quiet">{hint}</BaseField.Description>}
    </BaseField.Root>
  );
}

function FieldError({ children }: { children: ReactNode }) {
  return (
    <BaseField.Error match render={<p />} className="flex items-start gap-1.5 text-xs text-bad wrap-anywhere">
      <CircleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
      <span>{children}</span>
    </BaseField.Error>
  );
}
