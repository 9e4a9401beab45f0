import type { Context, Measured } from "./figure.ts";
import { round } from "./statistics.ts";

interface Probe {
  name: string;
  /** Time between turns does not count: data is made, tables are emptied. */
  prepare?(round: number): Promise<unknown>;
  measure(round: number): Promise<number>;
}

/**
 * Measures reference and ours in turn, so that other load on the machine meets both alike. Each returns its value in `unit`; a warm-up
 * alternation goes before and does not count.
 */
export async function alternate(
  { rounds, say }: Pick<Context, "rounds" | "say">,
  unit: string,
  reference: Probe,
  ours: Probe,
  { warmUp = true }: { warmUp?: boolean } = {},
): Promise<Measured> {
  const sides = [reference, ours].map((probe) => ({ probe, values: [] as number[] }));
  for (let turn = warmUp ? -1 : 0; turn < rounds; turn++) {
    for (const { probe, values } of sides) {
      await probe.prepare?.(turn);
      const value = await probe.measure(turn);
      say(`${turn < 0 ? "warm-up" : `round ${turn + 1}`}: ${probe.name} ${round(value)} ${unit}`);
      if (turn >= 0) values.push(value);
    }
  }
  const [first, second] = sides.map(({ probe, values }) => ({ name: probe.name, unit, values }));
  return { reference: first!, ours: second!, notes: [] };
}
