/** How much a run does: enough to see that every figure works, as much as the figures are read by, or the full sizes. */
export const SIZES = ["smoke", "usual", "full"] as const;
export type Size = (typeof SIZES)[number];

/** The variable by which main.ts tells a figure's process: sizes are constants of its modules. */
export const SIZE_VARIABLE = "BENCH_SIZE";

export const SIZE: Size = SIZES.find((size) => size === process.env[SIZE_VARIABLE]) ?? "usual";

/** A number that goes with the size of the run; the full one is the usual one unless given. */
export const sized = ({ smoke, usual, full = usual }: { smoke: number; usual: number; full?: number }): number =>
  ({ smoke, usual, full })[SIZE];
