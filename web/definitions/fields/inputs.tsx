import { useState } from "react";
import { choices } from "../../components/choice.tsx";
import { DecimalInput, decimalText, TextInput } from "../../components/inputs.tsx";
import { SuggestingInput } from "../../components/suggesting-input.tsx";
import { InstantInput } from "../../components/instant-input.tsx";
import { Select } from "../../components/select.tsx";
import type { Numeric } from "#server/model/kernel/decimal.ts";
import { isNumeric, type Scalar, type ScalarType } from "#server/model/kernel/values.ts";
import { numberOf, shows, textOfNumber } from "./numbers.ts";

/** Texts to suggest, which may load later: an empty list until then, since undefined renders another component. */
interface Suggesting {
  suggestions?: readonly string[];
}

interface NumberProps extends Suggesting {
  value: Numeric | null | undefined;
  onValueChange(value: Numeric | null): void;
  placeholder?: string;
  className?: string;
  disabled?: boolean;
  "aria-label"?: string;
}

/** An exact number. Invalid input becomes NaN, which every shape rejects. */
export function NumberInput({ value, onValueChange, suggestions, ...rest }: NumberProps) {
  const [typed, setTyped] = useState(() => textOfNumber(value));
  const text = shows(typed, value) ? typed : textOfNumber(value);
  const change = (next: string) => {
    setTyped(next);
    onValueChange(numberOf(next));
  };
  if (suggestions === undefined) return <DecimalInput {...rest} value={text} onValueChange={change} />;
  return (
    <SuggestingInput
      {...rest}
      inputMode="decimal"
      value={text}
      onValueChange={(next) => change(decimalText(next))}
      suggestions={suggestions}
    />
  );
}

interface ScalarProps extends Suggesting {
  type: ScalarType | undefined;
  value: Scalar | null;
  onValueChange(value: Scalar | null): void;
  "aria-label"?: string;
}

/** A value input for a type; text while the type is unknown. */
export function ScalarInput({ type, value, onValueChange, suggestions, ...rest }: ScalarProps) {
  switch (type) {
    case "Number":
      return <NumberInput {...rest} value={isNumeric(value) ? value : null} onValueChange={onValueChange} suggestions={suggestions} />;
    case "Boolean":
      return (
        <Select
          {...rest}
          value={typeof value === "boolean" ? String(value) : null}
          onValueChange={(next) => onValueChange(next === "true")}
          options={choices({ true: "Yes", false: "No" })}
        />
      );
    case "DateTime":
      return <InstantInput {...rest} value={typeof value === "string" ? value : null} onValueChange={onValueChange} />;
    case "String":
    case undefined: {
      const text = {
        value: typeof value === "string" ? value : textOfScalar(value),
        onValueChange: (next: string) => onValueChange(next === "" ? null : next),
      };
      return suggestions === undefined ? (
        <TextInput {...rest} {...text} />
      ) : (
        <SuggestingInput {...rest} {...text} suggestions={suggestions} />
      );
    }
  }
}

const textOfScalar = (value: Scalar | null): string => (isNumeric(value) ? textOfNumber(value) : value === null ? "" : String(value));
