import { ChevronsUpDown } from "lucide-react";
import { Button } from "./button.tsx";
import { Menu } from "./overlay.tsx";

interface ChoiceMenuProps<Value> {
  /** Read by screen readers before the chosen option. */
  label: string;
  value: Value;
  onValueChange(value: Value): void;
  /** They may lack `value`, which can come from the address. */
  options: readonly { value: Value; label: string }[];
}

/** A button that shows the chosen option and opens a menu of all options. */
export function ChoiceMenu<Value>({ label, value, onValueChange, options }: ChoiceMenuProps<Value>) {
  const name = options.find((one) => one.value === value)?.label ?? String(value);
  return (
    <Menu
      align="start"
      trigger={
        <Button aria-label={`${label}: ${name}`} className="max-w-full">
          <span className="truncate">{name}</span>
          <ChevronsUpDown />
        </Button>
      }
      items={options.map((one) => ({
        label: one.label,
        isChosen: one.value === value,
        onSelect: () => onValueChange(one.value),
      }))}
    />
  );
}
