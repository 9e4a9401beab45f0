import type { LucideIcon } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { cx } from "./classes.ts";

interface Choice<Value extends string> {
  value: Value;
  label: ReactNode;
  hint?: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
}

export const option = <const Value extends string>(value: Value, label: string, Icon: LucideIcon, hint?: string) => ({
  value,
  label,
  hint,
  icon: <Icon />,
});

/** Choices by their values, each with its label alone. */
export const choices = <const Value extends string, Label>(labels: Readonly<Record<Value, Label>>): { value: Value; label: Label }[] =>
  (Object.entries(labels) as [Value, Label][]).map(([value, label]) => ({ value, label }));

interface ChoiceProps<Value extends string> {
  value: Value;
  onValueChange(value: Value): void;
  options: readonly Choice<Value>[];
  /** Accessible name. */
  label: string;
  disabled?: boolean;
  className?: string;
}

interface RadiosProps<Value extends string> extends ChoiceProps<Value> {
  optionClass: string;
  content(option: Choice<Value>): ReactNode;
}

/** Native radio buttons, each an invisible input over its label. */
function Radios<Value extends string>({
  value,
  onValueChange,
  options,
  label,
  disabled,
  className,
  optionClass,
  content,
}: RadiosProps<Value>) {
  const name = useId();
  const group = useRef<HTMLDivElement>(null);
  // A choice in the server's HTML, before hydration.
  useEffect(() => {
    const chosen = group.current?.querySelector<HTMLInputElement>(":checked")?.value;
    if (chosen !== undefined && chosen !== value) onValueChange(chosen as Value);
  }, []);
  return (
    <div ref={group} role="radiogroup" aria-label={label} className={className}>
      {options.map((option) => (
        <label key={option.value} className={cx("relative", optionClass)}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={disabled || option.disabled}
            onChange={() => onValueChange(option.value)}
            className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-[inherit] disabled:cursor-not-allowed"
          />
          {option.icon}
          {content(option)}
        </label>
      ))}
    </div>
  );
}

/** A segmented control of a few short words. */
export const Segmented = <Value extends string>({ className, ...choice }: ChoiceProps<Value>) => (
  <Radios
    {...choice}
    className={cx(
      "inline-flex max-w-full flex-wrap gap-0.5 self-start rounded-lg bg-sunken p-0.5 in-[fieldset:disabled]:outline in-[fieldset:disabled]:outline-dashed in-[fieldset:disabled]:outline-line-strong",
      className,
    )}
    optionClass="flex h-7 items-center gap-1.5 rounded-md px-2.5 text-[0.8125rem] font-medium text-quiet transition-colors hover:text-ink has-checked:bg-overlay has-checked:text-ink has-checked:shadow-control has-disabled:opacity-50 [&_svg]:size-4"
    content={({ label }) => <span>{label}</span>}
  />
);

/** Radio buttons with explanations. */
export const RadioCards = <Value extends string>({ className, ...choice }: ChoiceProps<Value>) => (
  <Radios
    {...choice}
    className={cx("grid grid-cols-1 gap-2 sm:grid-cols-2", className)}
    optionClass="flex items-start gap-3 rounded-lg border border-line bg-paper p-3 text-left transition-colors hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft has-disabled:border-dashed has-disabled:border-line-strong has-disabled:opacity-50 [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-quiet"
    content={({ label, hint }) => (
      <span className="min-w-0">
        <span className="block text-sm font-medium">{label}</span>
        {hint && <span className="block text-xs text-quiet">{hint}</span>}
      </span>
    )}
  />
);

/** A radio group under a heading: a field would give all radios its own label. */
export const ChoiceField = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex flex-col gap-1.5">
    <span className="text-[0.8125rem] font-medium" aria-hidden>
      {label}
    </span>
    {children}
  </div>
);

/** The time zones as options, UTC first. */
export const zoneOptions = (): { value: string; label: string }[] =>
  ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")].map((value) => ({
    value,
    label: value.replaceAll("_", " "),
  }));
