import { Combobox as BaseCombobox } from "@base-ui/react/combobox";
import { Check, ChevronsUpDown, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { cx, CONTROL, OPTION, POPUP } from "./classes.ts";
import { named } from "./inputs.tsx";
import type { Option } from "./select.tsx";
import { useTypedBefore } from "./typed-before.ts";

export interface ComboboxProps {
  options: readonly Option[];
  placeholder?: string;
  /** Shown when no option matches, or there are none. */
  emptyText?: ReactNode;
  /** For server-side search: receives the typed text, and is given the matching options. */
  onSearch?(text: string): void;
  disabled?: boolean;
  autoFocus?: boolean;
  className?: string;
  "aria-label"?: string;
  value: string | null;
  /** The value's label where a search has removed it from the options; the value itself by default. */
  valueLabel?: string;
  onValueChange(value: string | null): void;
  /** Whether the choice can be cleared. */
  isClearable?: boolean;
}

const searchText = ({ label, value }: Option): string => `${label} ${value}`;

/** Matches the label and the key. */
const fits = (option: Option, query: string): boolean => {
  const text = searchText(option).toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

export function Combobox({
  options,
  value,
  valueLabel,
  onValueChange,
  placeholder = "Search…",
  emptyText,
  onSearch,
  isClearable,
  disabled,
  className,
  ...rest
}: ComboboxProps) {
  // Labels the trigger: inside a field it would otherwise be named by the field's label.
  const allId = useId();
  const [isOpen, setOpen] = useState(false);
  const ref = useTypedBefore<HTMLInputElement>();
  const chosen = value === null ? null : (options.find((option) => option.value === value) ?? { value, label: valueLabel ?? value });
  return (
    <BaseCombobox.Root
      items={options as Option[]}
      open={isOpen}
      onOpenChange={setOpen}
      value={chosen}
      onValueChange={(next, { reason }) => {
        if (next !== null || (isClearable && reason !== "escape-key")) onValueChange(next?.value ?? null);
      }}
      itemToStringLabel={(option: Option) => option.label}
      isItemEqualToValue={(one: Option, other: Option) => one.value === other.value}
      filter={onSearch ? null : fits}
      onInputValueChange={(text, change) => {
        // Escape closes the options. Without options it would clear the choice.
        if (change.reason === "escape-key") change.cancel();
        else if (change.reason === "input-change") onSearch?.(text);
      }}
      disabled={disabled}
      autoHighlight
    >
      <BaseCombobox.InputGroup className={cx("relative w-full", className)}>
        <BaseCombobox.Input
          {...named(rest)}
          ref={ref}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            // Enter chooses an option. It would submit the form if the list is closed or nothing matches.
            event.preventDefault();
            if (!isOpen) setOpen(true);
          }}
          placeholder={placeholder}
          className={cx(CONTROL, isClearable && chosen ? "pr-14" : "pr-8")}
        />
        <div className="absolute inset-y-0 right-1 flex items-center text-faint">
          {isClearable && (
            <BaseCombobox.Clear aria-label="Clear" className="flex size-6 items-center justify-center rounded hover:text-ink">
              <X className="size-3.5" />
            </BaseCombobox.Clear>
          )}
          <BaseCombobox.Trigger aria-labelledby={allId} className="flex size-6 items-center justify-center rounded hover:text-ink">
            <span id={allId} className="sr-only">
              Show all
            </span>
            <ChevronsUpDown className="size-3.5" />
          </BaseCombobox.Trigger>
        </div>
      </BaseCombobox.InputGroup>
      <Choices emptyText={emptyText} />
    </BaseCombobox.Root>
  );
}

const Choices = ({ emptyText = "No matches." }: { emptyText?: ReactNode }) => (
  <BaseCombobox.Portal>
    <BaseCombobox.Positioner sideOffset={4} className="z-50 outline-none">
      <BaseCombobox.Popup className={cx(POPUP, "max-h-[min(20rem,var(--available-height))] min-w-[var(--anchor-width)] overflow-y-auto")}>
        <BaseCombobox.Empty>
          <div className="px-2 py-3 text-quiet">{emptyText}</div>
        </BaseCombobox.Empty>
        <BaseCombobox.List>
          {(option: Option) => (
            <BaseCombobox.Item key={option.value} value={option} disabled={option.disabled} className={OPTION}>
              {option.icon}
              <span className="min-w-0 flex-1">
                <span dir="auto" className="block truncate text-left">
                  {option.label}
                </span>
                {option.hint && <span className="block truncate text-xs text-quiet">{option.hint}</span>}
              </span>
              <BaseCombobox.ItemIndicator render={<Check aria-hidden />} />
            </BaseCombobox.Item>
          )}
        </BaseCombobox.List>
      </BaseCombobox.Popup>
    </BaseCombobox.Positioner>
  </BaseCombobox.Portal>
);
