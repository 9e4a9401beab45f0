import type { Context, Cost, Measured } from "./figure.ts";
import { nodeCpuUsOf } from "./proc.ts";
import { SIZE } from "./size.ts";
import { addUses, describeUses, describeWal, type StatementUse } from "./statements.ts";
import { round } from "./statistics.ts";

/** The result of a turn, and the number of operations in it, by which its cost is divided. */
interface Turn {
  value: number;
  done: number;
}

interface Probe {
  name: string;
  /** Runs before a turn and is not measured: generates data, truncates tables. */
  prepare?(round: number): Promise<unknown>;
  measure(round: number): Promise<number | Turn>;
  /** The operation, and the processes besides PostgreSQL that do it; if left out, no cost is reported. */
  costs?: { of: string; by: readonly { pid: number }[] };
}

/** For figures whose measured work runs in this process. */
export const HERE = { pid: process.pid };

/** A warm-up precedes the rounds, except in a smoke run, whose values mean nothing. */
export const FIRST_TURN = SIZE === "smoke" ? 0 : -1;

/** How often each side is measured, including the warm-up. */
export const turnsOf = ({ rounds }: Pick<Context, "rounds">): number => rounds - FIRST_TURN;

/**
 * Measures reference and ours in alternation, so that other load affects both alike. Each returns its value in `unit`; a warm-up
 * alternation comes first and does not count.
 */
export async function alternate(
  { rounds, say, server }: Pick<Context, "rounds" | "say" | "server">,
  unit: string,
  reference: Probe,
  ours: Probe,
  { warmUp = true }: { warmUp?: boolean } = {},
): Promise<Measured> {
  const sides = [reference, ours].map((probe) => ({ probe, values: [] as number[], cost: emptyCost(probe) }));
  const uses: StatementUse[][] = [];
  let allDone = 0;
  let wal: string[] = [];
  const spent = async ({ costs }: Probe) => ({
    node: costs ? nodeCpuUsOf(...costs.by.map(({ pid }) => pid)) : null,
    postgres: costs ? server.cpuUs() : null,
    wal: costs ? await server.walBytes() : 0,
  });
  for (let turn = warmUp ? FIRST_TURN : 0; turn < rounds; turn++) {
    for (const { probe, values, cost } of sides) {
      await probe.prepare?.(turn);
      await server.statements?.reset();
      const before = await spent(probe);
      const measured = await probe.measure(turn);
      const after = await spent(probe);
      const { value, done } = typeof measured === "number" ? { value: measured, done: null } : measured;
      say(`${turn < 0 ? "warm-up" : `round ${turn + 1}`}: ${probe.name} ${round(value)} ${unit}`);
      if (turn < 0) continue;
      values.push(value);
      if (probe === ours && server.statements !== null) {
        uses.push(await server.statements.read());
        allDone += done ?? 1;
        if (turn === rounds - 1) wal = describeWal(await server.statements.readWal(), done ?? 1, probe.costs?.of ?? "a turn");
      }
      if (cost === undefined || done === null) continue;
      cost.nodeUs.push(perOne(before.node, after.node, done));
      cost.postgresUs.push(perOne(before.postgres, after.postgres, done));
      cost.walBytes.push((after.wal - before.wal) / done);
    }
  }
  const [first, second] = sides.map(({ probe, values, cost }) => ({ name: probe.name, unit, values, ...(cost && { cost }) }));
  // Without a number of operations, statements are reported per turn.
  const notes = uses.length === 0 ? [] : [...describeUses(addUses(uses), allDone, ours.costs?.of ?? "a turn"), ...wal];
  return { reference: first!, ours: second!, notes };
}

const emptyCost = ({ costs }: Probe): Cost | undefined => costs && { of: costs.of, nodeUs: [], postgresUs: [], walBytes: [] };

const perOne = (before: number | null, after: number | null, done: number): number | null =>
  before === null || after === null ? null : (after - before) / done;
