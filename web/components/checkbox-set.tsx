import type { ReactNode } from "react";
import { ProblemLine, useProblemAt } from "./inputs.tsx";
import { Checkbox } from "./toggle.tsx";

interface CheckboxSetProps<Value extends string> {
  label: string;
  at: string;
  values: readonly Value[];
  onValuesChange(values: Value[]): void;
  options: readonly { value: Value; label: ReactNode; hint?: string }[];
}

/** Checkboxes below a common label, with the problem of the choice. */
export function CheckboxSet<Value extends string>({ label, at, values, onValuesChange, options }: CheckboxSetProps<Value>) {
  const problem = useProblemAt(at, values);
  return (
    <fieldset data-invalid={problem === undefined ? undefined : ""} className="flex flex-col gap-3">
      <legend className="mb-2 text-[0.8125rem] font-medium">{label}</legend>
      {options.map(({ value, ...words }) => (
        <Checkbox
          key={value}
          {...words}
          checked={values.includes(value)}
          onCheckedChange={(isChosen) => onValuesChange(isChosen ? [...values, value] : values.filter((one) => one !== value))}
        />
      ))}
      {problem !== undefined && <ProblemLine role="alert">{problem}</ProblemLine>}
    </fieldset>
  );
}
