import { ChevronsUpDown } from "lucide-react";
import { Button } from "./button.tsx";
import { Menu } from "./overlay.tsx";

interface ChoiceMenuProps<Value> {
  /** In front of the chosen one, for screen readers. */
  label: string;
  value: Value;
  onValueChange(value: Value): void;
  /** A value from the address may be none of them. */
  options: readonly { value: Value; label: string }[];
}

/** A button named by the chosen one of several, with a menu of all. */
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
