import { Select as BaseSelect } from "@base-ui/react/select";
import { Check, ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";
import { cx, CONTROL, OPTION, POPUP } from "./classes.ts";
import { named } from "./inputs.tsx";

export interface Option<Value extends string = string> {
  value: Value;
  label: string;
  hint?: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
}

interface SelectProps<Value extends string> {
  value: Value | null;
  onValueChange(value: Value): void;
  options: readonly Option<Value>[];
  placeholder?: string;
  disabled?: boolean;
  className?: string;
  "aria-label"?: string;
}

export function Select<Value extends string>({
  value,
  onValueChange,
  options,
  placeholder = "Choose…",
  disabled,
  className,
  ...rest
}: SelectProps<Value>) {
  const chosen = options.find((option) => option.value === value);
  return (
    <BaseSelect.Root
      items={options as Option<Value>[]}
      value={value}
      onValueChange={(next) => next !== null && onValueChange(next as Value)}
      disabled={disabled}
      modal={false}
    >
      <BaseSelect.Trigger {...named(rest)} className={cx(CONTROL, "flex items-center gap-2 text-left", className)}>
        {chosen?.icon && <span className="flex shrink-0 text-quiet [&_svg]:size-4">{chosen.icon}</span>}
        <BaseSelect.Value className={cx("min-w-0 flex-1 truncate", !chosen && "text-faint")}>
          {chosen?.label ?? placeholder}
        </BaseSelect.Value>
        <BaseSelect.Icon render={<ChevronsUpDown className="size-3.5 shrink-0 text-faint" aria-hidden />} />
      </BaseSelect.Trigger>
      <BaseSelect.Portal>
        <BaseSelect.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50 outline-none">
          <BaseSelect.Popup className={cx(POPUP, "max-h-[min(20rem,var(--available-height))] min-w-[var(--anchor-width)] overflow-y-auto")}>
            {options.map(({ value: one, label, hint, icon, disabled: isOff }) => (
              <BaseSelect.Item key={one} value={one} disabled={isOff} className={OPTION}>
                {icon}
                <span className="min-w-0 flex-1">
                  <BaseSelect.ItemText className="block truncate">{label}</BaseSelect.ItemText>
                  {hint && <span className="block max-w-80 text-xs text-quiet">{hint}</span>}
                </span>
                <BaseSelect.ItemIndicator render={<Check aria-hidden />} />
              </BaseSelect.Item>
            ))}
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  );
}
