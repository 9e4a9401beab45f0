/** Stands for no filter: to a select, "" is nothing chosen. */
export const ALL = "*";

/** The options of a filter, with the one that an address names although nothing here has it. */
export const choices = (all: string, options: readonly { value: string; label: string }[], chosen: string | null) => [
  { value: ALL, label: all },
  ...options,
  ...(chosen === null || options.some(({ value }) => value === chosen) ? [] : [{ value: chosen, label: chosen }]),
];

export const chosenOf = (value: string): string | null => (value === ALL ? null : value);
