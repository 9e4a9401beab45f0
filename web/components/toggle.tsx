import { Checkbox as BaseCheckbox } from "@base-ui/react/checkbox";
import { Switch as BaseSwitch } from "@base-ui/react/switch";
import { Check, Minus } from "lucide-react";
import { type ReactNode, useId } from "react";
import { cx } from "./classes.ts";

// Apart from choice.tsx, so that a list page, which only has native choices, loads no Base UI for these (11 kB).

interface ToggleProps {
  checked: boolean;
  onCheckedChange(checked: boolean): void;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
  isLabelHidden?: boolean;
  className?: string;
}

export function Switch({ label, hint, isLabelHidden, className, ...rest }: ToggleProps) {
  const id = useId();
  return (
    <label className={cx("flex items-start gap-3", className)}>
      <BaseSwitch.Root
        {...rest}
        aria-labelledby={id}
        className="relative mt-0.5 flex h-5 w-9 shrink-0 rounded-full bg-line-strong p-0.5 transition-colors data-checked:bg-accent-fill data-disabled:opacity-50"
      >
        <BaseSwitch.Thumb className="size-4 rounded-full bg-on-accent shadow-control transition-transform data-checked:translate-x-4" />
      </BaseSwitch.Root>
      <Words id={id} label={label} hint={hint} isLabelHidden={isLabelHidden} />
    </label>
  );
}

interface CheckboxProps extends ToggleProps {
  /** Indeterminate: some of its items are selected. */
  isMixed?: boolean;
}

export function Checkbox({ label, hint, isLabelHidden, isMixed = false, className, ...rest }: CheckboxProps) {
  const id = useId();
  return (
    <label className={cx("flex items-start gap-2.5", className)}>
      <BaseCheckbox.Root
        {...rest}
        indeterminate={isMixed}
        aria-labelledby={id}
        className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded border border-line-strong bg-paper text-on-accent data-checked:border-transparent data-checked:bg-accent-fill data-disabled:opacity-50 data-indeterminate:border-transparent data-indeterminate:bg-accent-fill"
      >
        <BaseCheckbox.Indicator className="flex data-unchecked:hidden">
          {isMixed ? <Minus className="size-3" strokeWidth={3} /> : <Check className="size-3" strokeWidth={3} />}
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      <Words id={id} label={label} hint={hint} isLabelHidden={isLabelHidden} />
    </label>
  );
}

const Words = ({ id, label, hint, isLabelHidden }: { id: string; label: ReactNode; hint?: ReactNode; isLabelHidden?: boolean }) => (
  <span className={cx("block min-w-0", isLabelHidden && !hint && "sr-only")}>
    <span id={id} className={cx("block text-sm", isLabelHidden && "sr-only")}>
      {label}
    </span>
    {hint && <span className="block text-xs text-quiet">{hint}</span>}
  </span>
);
