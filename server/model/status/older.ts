/** PostgreSQL's sample of a column of instants: frequent values with their share of the rows, and bounds that cut the rest into equal parts. */
export interface Sample {
  /** Epoch milliseconds. */
  frequent: readonly number[];
  shares: readonly number[];
  bounds: readonly number[];
}

/** The share of rows with an instant before this one, 0 to 1. */
export function shareBefore({ frequent, shares, bounds }: Sample, instant: number): number {
  const ofFrequent = shares.reduce((total, share) => total + share, 0);
  const before = shares.reduce((total, share, index) => total + (frequent[index]! < instant ? share : 0), 0);
  return Math.min(1, before + (1 - ofFrequent) * shareOfBounds(bounds, instant));
}

function shareOfBounds(bounds: readonly number[], instant: number): number {
  const after = bounds.findIndex((bound) => bound >= instant);
  if (after <= 0) return after === 0 || bounds.length === 0 ? 0 : 1;
  const [low, high] = [bounds[after - 1]!, bounds[after]!];
  return (after - 1 + (instant - low) / (high - low)) / (bounds.length - 1);
}
