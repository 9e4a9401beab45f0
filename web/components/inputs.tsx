"use client";

import { Input as BaseInput } from "@base-ui/react/input";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "./classes.ts";
import { useTypedBefore } from "./typed-before.ts";

export const CONTROL =
  "h-8 w-full min-w-0 rounded-lg border border-line-strong bg-paper px-2.5 text-sm text-ink shadow-control outline-none transition-[border-color,box-shadow] focus-visible:border-accent focus-visible:ring-2 focus-visible:ring-accent/25 focus-visible:outline-none disabled:cursor-not-allowed disabled:border-dashed disabled:bg-sunken disabled:text-quiet disabled:shadow-none [&:is(input,textarea):read-only]:border-dashed [&:is(input,textarea):read-only]:bg-sunken data-invalid:border-bad max-sm:h-9 max-sm:text-base";

interface Text {
  value: string;
  onValueChange(value: string): void;
}

interface TextInputProps extends Omit<ComponentProps<"input">, "value" | "onChange" | "prefix" | "ref">, Text {
  /** Shown inside, before the input. */
  prefix?: ReactNode;
}

/** Its own label takes precedence over the surrounding field's. */
export const named = <Props extends { "aria-label"?: string | undefined }>(props: Props) =>
  props["aria-label"] === undefined ? props : { ...props, "aria-labelledby": undefined };

export function TextInput({ value, onValueChange, className, prefix, ...rest }: TextInputProps) {
  const ref = useTypedBefore<HTMLInputElement>();
  const control = (
    <BaseInput
      {...named(rest)}
      ref={ref}
      value={value}
      onValueChange={onValueChange}
      className={cx(CONTROL, prefix && "pl-8", className)}
    />
  );
  if (!prefix) return control;
  return (
    <div className="relative min-w-0 flex-1">
      <span className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-quiet [&_svg]:size-4">{prefix}</span>
      {control}
    </div>
  );
}

export function TextArea({
  value,
  onValueChange,
  className,
  rows = 3,
  ...rest
}: Omit<ComponentProps<"textarea">, "value" | "onChange" | "ref"> & Text) {
  const ref = useTypedBefore<HTMLTextAreaElement>();
  return (
    <BaseInput
      render={<textarea {...named(rest)} ref={ref} rows={rows} />}
      value={value}
      onValueChange={onValueChange}
      className={cx(CONTROL, "h-auto min-h-16 resize-y py-1.5 leading-normal max-sm:h-auto", className)}
    />
  );
}

/** A number as exact text, kept digit for digit. The caller validates it. */
export function DecimalInput({ value, onValueChange, className, ...rest }: Omit<TextInputProps, "inputMode" | "type">) {
  return (
    <TextInput
      {...rest}
      inputMode="decimal"
      autoComplete="off"
      value={value}
      onValueChange={(text) => onValueChange(text.replace(/[\s_]/g, "").replace(",", "."))}
      className={cx("tabular-nums", className)}
    />
  );
}
