"use client";

import { Checkbox as BaseCheckbox } from "@base-ui/react/checkbox";
import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { Switch as BaseSwitch } from "@base-ui/react/switch";
import { Check, Minus } from "lucide-react";
import { type ReactNode, useId } from "react";
import { cx } from "./classes.ts";

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
  /** Indeterminate: some of what it stands for is selected. */
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
          {isMixed ? <Minus className="size-3" strokeWidth={3} aria-hidden /> : <Check className="size-3" strokeWidth={3} aria-hidden />}
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      <Words id={id} label={label} hint={hint} isLabelHidden={isLabelHidden} />
    </label>
  );
}

function Words({ id, label, hint, isLabelHidden }: { id: string; label: ReactNode; hint?: ReactNode; isLabelHidden?: boolean }) {
  return (
    <span className={cx("block min-w-0", isLabelHidden && !hint && "sr-only")}>
      <span id={id} className={cx("block text-sm", isLabelHidden && "sr-only")}>
        {label}
      </span>
      {hint && <span className="block text-xs text-quiet">{hint}</span>}
    </span>
  );
}

interface Choice<Value extends string> {
  value: Value;
  label: ReactNode;
  hint?: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
}

interface ChoiceProps<Value extends string> {
  value: Value;
  onValueChange(value: Value): void;
  options: readonly Choice<Value>[];
  /** Accessible name. */
  label: string;
  disabled?: boolean;
  className?: string;
}

/** A segmented control of a few short words. */
export function Segmented<Value extends string>({ value, onValueChange, options, label, disabled, className }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <RadioGroup
      value={value}
      onValueChange={(next) => onValueChange(next as Value)}
      aria-label={label}
      disabled={disabled}
      className={cx(
        "inline-flex max-w-full flex-wrap gap-0.5 self-start rounded-lg bg-sunken p-0.5 in-[fieldset:disabled]:outline in-[fieldset:disabled]:outline-dashed in-[fieldset:disabled]:outline-line-strong",
        className,
      )}
    >
      {options.map((option) => (
        <Radio.Root
          key={option.value}
          value={option.value}
          disabled={option.disabled}
          render={<button type="button" />}
          nativeButton
          // Inside a field it would inherit the field's label.
          aria-labelledby={`${id}-${option.value}`}
          className="flex h-7 items-center gap-1.5 rounded-md px-2.5 text-[0.8125rem] font-medium text-quiet transition-colors hover:text-ink data-checked:bg-overlay data-checked:text-ink data-checked:shadow-control data-disabled:opacity-50 [&_svg]:size-4"
        >
          {option.icon}
          <span id={`${id}-${option.value}`}>{option.label}</span>
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}

/** Radio buttons with explanations. */
export function RadioCards<Value extends string>({ value, onValueChange, options, label, disabled, className }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <RadioGroup
      value={value}
      onValueChange={(next) => onValueChange(next as Value)}
      aria-label={label}
      disabled={disabled}
      className={cx("grid grid-cols-1 gap-2 sm:grid-cols-2", className)}
    >
      {options.map((option) => (
        <Radio.Root
          key={option.value}
          value={option.value}
          disabled={option.disabled}
          render={<button type="button" />}
          nativeButton
          aria-labelledby={`${id}-${option.value}`}
          className="flex items-start gap-3 rounded-lg border border-line bg-paper p-3 text-left transition-colors hover:border-line-strong disabled:cursor-not-allowed disabled:border-dashed disabled:border-line-strong data-checked:border-accent data-checked:bg-accent-soft data-disabled:opacity-50 [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-quiet"
        >
          {option.icon}
          <span className="min-w-0" id={`${id}-${option.value}`}>
            <span className="block text-sm font-medium">{option.label}</span>
            {option.hint && <span className="block text-xs text-quiet">{option.hint}</span>}
          </span>
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}
