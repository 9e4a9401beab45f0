import { Autocomplete } from "@base-ui/react/autocomplete";
import type { ComponentProps } from "react";
import { cx, CONTROL, OPTION, POPUP } from "./classes.ts";
import { named } from "./inputs.tsx";
import { useTypedBefore } from "./typed-before.ts";

interface SuggestingProps extends Omit<ComponentProps<"input">, "value" | "onChange" | "ref"> {
  value: string;
  /** `isPicked`: the text is a suggestion that was picked. */
  onValueChange(text: string, isPicked: boolean): void;
  suggestions: readonly string[];
}

/** A text input that suggests values; any other can be typed. */
export function SuggestingInput({ value, onValueChange, suggestions, className, ...rest }: SuggestingProps) {
  const ref = useTypedBefore<HTMLInputElement>();
  return (
    <Autocomplete.Root
      items={suggestions as string[]}
      value={value}
      // Escape closes the suggestions. Without suggestions it would empty the input.
      onValueChange={(text, { reason }) => reason !== "escape-key" && onValueChange(text, reason === "item-press")}
      openOnInputClick
    >
      <Autocomplete.Input {...named(rest)} ref={ref} autoComplete="off" className={className ?? CONTROL} />
      <Autocomplete.Portal>
        <Autocomplete.Positioner sideOffset={4} className="z-50 outline-none">
          <Autocomplete.Popup
            className={cx(
              POPUP,
              "max-h-[min(16rem,var(--available-height))] min-w-[var(--anchor-width)] overflow-y-auto data-empty:hidden",
            )}
          >
            <Autocomplete.List>
              {(text: string) => (
                <Autocomplete.Item key={text} value={text} className={OPTION}>
                  <span className="truncate">{text}</span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}
