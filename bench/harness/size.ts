/** The size of a run: `smoke` only shows that every figure works, `usual` gives the reported figures, `full` takes the largest data. */
export const SIZES = ["smoke", "usual", "full"] as const;
export type Size = (typeof SIZES)[number];

/** main.ts passes the size to a figure's process in this variable, because sizes are constants of its modules. */
export const SIZE_VARIABLE = "BENCH_SIZE";

export const SIZE: Size = SIZES.find((size) => size === process.env[SIZE_VARIABLE]) ?? "usual";

/** The value for the size of this run; `full` defaults to `usual`. */
export const sized = ({ smoke, usual, full = usual }: { smoke: number; usual: number; full?: number }): number =>
  ({ smoke, usual, full })[SIZE];
