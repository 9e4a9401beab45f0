import { Input as BaseInput } from "@base-ui/react/input";
import { useContext, useEffect, useRef, useState } from "react";
import { formatInstant, instantAtLocal, localMinute, parseInstant } from "../../server/model/kernel/time.ts";
import { cx, CONTROL } from "./classes.ts";
import { ClockContext } from "./time.tsx";
import { useTypedBefore } from "./typed-before.ts";

interface InstantInputProps {
  /** RFC 3339, UTC; null: none. */
  value: string | null;
  onValueChange(value: string | null): void;
  className?: string;
  "aria-label"?: string;
}

/** Date and time in the project's zone. */
export function InstantInput({ value, onValueChange, className, ...rest }: InstantInputProps) {
  const { timeZone } = useContext(ClockContext);
  const [text, setText] = useState(() => localTextOf(value, timeZone));
  const ref = useTypedBefore<HTMLInputElement>();
  /** The last value that this input has shown or reported, and its zone, to recognise changes from outside. */
  const known = useRef({ value, timeZone });
  useEffect(() => {
    if (known.current.value === value && known.current.timeZone === timeZone) return;
    known.current = { value, timeZone };
    setText(localTextOf(value, timeZone));
  }, [value, timeZone]);
  return (
    <BaseInput
      {...rest}
      ref={ref}
      type="datetime-local"
      // Without it a year has six digits, and the hour that is typed next becomes part of it.
      max="9999-12-31T23:59"
      value={text}
      onValueChange={(typed) => {
        setText(typed);
        known.current.value = instantOf(typed, timeZone);
        onValueChange(known.current.value);
      }}
      className={cx(CONTROL, "tabular-nums", className)}
    />
  );
}

function localTextOf(value: string | null, timeZone: string): string {
  const instant = value === null ? null : parseInstant(value);
  return instant === null ? "" : localMinute(instant, timeZone);
}

function instantOf(text: string, timeZone: string): string | null {
  const instant = instantAtLocal(text, timeZone);
  return instant === null ? null : formatInstant(instant);
}
