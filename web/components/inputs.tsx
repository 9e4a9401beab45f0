import { Input as BaseInput } from "@base-ui/react/input";
import { type ComponentProps, createContext, isValidElement, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { Field as BaseField } from "@base-ui/react/field";
import { CircleAlert } from "lucide-react";
import { cx, CONTROL } from "./classes.ts";
import { focusIn } from "./focus.ts";
import type { Problem } from "./problems.tsx";
import { Notice } from "./surface.tsx";
import { useTypedBefore } from "./typed-before.ts";

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

/** A typed number without spaces, and with a point for a comma. */
export const decimalText = (typed: string): string => typed.replace(/[\s_]/g, "").replace(",", ".");

/** A number as exact text, kept digit for digit. The caller validates it. */
export const DecimalInput = ({ value, onValueChange, className, ...rest }: Omit<TextInputProps, "inputMode" | "type">) => (
  <TextInput
    {...rest}
    inputMode="decimal"
    autoComplete="off"
    value={value}
    onValueChange={(text) => onValueChange(decimalText(text))}
    className={cx("tabular-nums", className)}
  />
);

/** The problems of the form around a field. */
const Problems = createContext<readonly Problem[]>([]);

/** The problem at a pointer, while the field has the value that it was found for. */
export function useProblemAt(pointer: string | undefined, value: unknown): string | undefined {
  const problem = useContext(Problems).find((one) => one.pointer === pointer);
  const [found, setFound] = useState({ problem, value });
  if (found.problem !== problem) setFound({ problem, value });
  return found.value === value ? problem?.message : undefined;
}

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** The pointer at which the form's save names its problem. */
  at?: string;
  /** The error and how to fix it; empty or undefined: none. */
  error?: ReactNode;
  /** Marks an optional field. */
  optional?: boolean;
  required?: boolean;
  /** For screen readers only, where the context is visible. */
  isLabelHidden?: boolean;
  /** Beside the label. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A control with label, hint and error; the control finds them through context. */
export function Field({ label, hint, at, error, optional, required, isLabelHidden, aside, className, children }: FieldProps) {
  const value = isValidElement<{ value?: unknown }>(children) ? children.props.value : undefined;
  const problem = useProblemAt(at, value) ?? error;
  return (
    <BaseField.Root invalid={Boolean(problem)} className={cx("flex min-w-0 flex-col gap-1.5", className)}>
      <div className={cx("flex items-baseline gap-2", isLabelHidden && !aside && "sr-only")}>
        <BaseField.Label className={cx("text-[0.8125rem] font-medium text-ink", isLabelHidden && "sr-only")}>
          {label}
          {required && <RequiredMark />}
        </BaseField.Label>
        {optional && <span className="text-xs text-faint">optional</span>}
        {aside && <div className="-my-1 ml-auto self-center">{aside}</div>}
      </div>
      {children}
      {problem && (
        <BaseField.Error match render={<ProblemLine />}>
          {problem}
        </BaseField.Error>
      )}
      {hint && <BaseField.Description className="text-xs text-quiet">{hint}</BaseField.Description>}
    </BaseField.Root>
  );
}

export const RequiredMark = () => (
  <span className="text-bad" aria-hidden>
    {" "}
    *
  </span>
);

/** A problem, as fields show it. */
export const ProblemLine = ({ children, ...rest }: ComponentProps<"p">) => (
  <p {...rest} className="flex items-start gap-1.5 text-xs text-bad wrap-anywhere">
    <CircleAlert className="mt-0.5 size-3.5 shrink-0" />
    <span>{children}</span>
  </p>
);

/** Whether every date is typed to its end; shows the first that is not. Such a date has no value, and would be saved as none. */
export const hasWholeDates = (page: ParentNode): boolean =>
  page.querySelector<HTMLInputElement>("input[type=datetime-local]:invalid")?.reportValidity() ?? true;

interface ScriptFormProps extends Omit<ComponentProps<"form">, "method" | "action" | "onSubmit" | "ref"> {
  onSubmit(): void;
  /** Shown at their fields; one of the whole form, at "", above them. */
  problems?: readonly Problem[];
}

const NONE: readonly Problem[] = [];

/**
 * A form that is submitted by script. Before hydration it cannot be submitted: with "dialog" the browser stays on the page and keeps the
 * input.
 */
export function ScriptForm({ onSubmit, problems = NONE, children, ...rest }: ScriptFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const isSubmitted = useRef(false);
  // After every render: the service may find the first wrong field long after the submit.
  useEffect(() => {
    const wrong = isSubmitted.current && form.current?.querySelector<HTMLElement>("[data-invalid]");
    if (!wrong) return;
    isSubmitted.current = false;
    focusIn(wrong);
  });
  return (
    <form
      {...rest}
      ref={form}
      method="dialog"
      onSubmit={(event) => {
        event.preventDefault();
        // React's events of a dialog also bubble to the form that contains the dialog.
        event.stopPropagation();
        if (!hasWholeDates(event.currentTarget)) return;
        isSubmitted.current = true;
        onSubmit();
      }}
    >
      {problems.map(
        ({ pointer, message }) =>
          pointer === "" && (
            <Notice key={message} tone="bad">
              {message}
            </Notice>
          ),
      )}
      <Problems value={problems}>{children}</Problems>
    </form>
  );
}
