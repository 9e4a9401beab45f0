import fc from "fast-check";
import { expect, test } from "vitest";
import { LIMIT, type Quota, splitQuota } from "./quota-split.ts";

/** Each process's part once all have heard of each other. */
const quotasOf = (processes: number): Quota[] =>
  Array.from({ length: processes }, (_, index) => splitQuota({ index, processes, taken: 0 }));
const total = (quotas: readonly Quota[], part: keyof Quota): number => quotas.reduce((sum, quota) => sum + quota[part], 0);

test("the parts of any number of processes up to 16 add up to 16 in flight and 8 waiting, and differ by one at most", () => {
  const processes = fc.integer({ min: 1, max: 16 });
  fc.assert(
    fc.property(processes, (count) => {
      const quotas = quotasOf(count);
      for (const part of ["inFlight", "waiting"] as const) {
        const parts = quotas.map((quota) => quota[part]);
        expect(total(quotas, part)).toBe(LIMIT[part]);
        expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test.each<[number, Quota[]]>([
  [1, [{ inFlight: 16, waiting: 8 }]],
  [2, Array<Quota>(2).fill({ inFlight: 8, waiting: 4 })],
  [3, [{ inFlight: 6, waiting: 3 }, { inFlight: 5, waiting: 3 }, { inFlight: 5, waiting: 2 }]], // oxfmt-ignore
])("among %d", (processes, quotas) => {
  expect(quotasOf(processes)).toEqual(quotas);
});

test("with more processes than slots, each still takes one request at a time", () => {
  const quotas = quotasOf(40);
  expect(new Set(quotas.map(({ inFlight }) => inFlight))).toEqual(new Set([1]));
  expect(total(quotas, "waiting")).toBe(8);
});

/** In the model a process starts or beats (the same operation), receives requests, answers them, or stops once it has none. */
const act = fc.record({ process: fc.nat({ max: 39 }), what: fc.constantFrom("beat", "beat", "beat", "fill", "answer", "leave") });

test("however processes start, beat and stop, requests in flight never exceed 16 by more than one for each process", () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 20, maxLength: 400 }), (acts) => {
      const alive = new Map<number, { quota: number; claim: number; inFlight: number }>();
      for (const { process, what } of acts) {
        const own = alive.get(process);
        if (what === "beat") {
          const others = [...alive].filter(([id]) => id !== process);
          const taken = others.reduce((sum, [, { claim }]) => sum + claim, 0);
          const index = others.filter(([id]) => id < process).length;
          const { inFlight: quota } = splitQuota({ index, processes: others.length + 1, taken });
          const inFlight = own?.inFlight ?? 0;
          alive.set(process, { quota, claim: Math.max(quota, inFlight), inFlight });
        } else if (own && what === "fill") own.inFlight = Math.max(own.inFlight, own.quota);
        else if (own && what === "answer") own.inFlight = Math.max(own.inFlight - 1, 0);
        else if (own?.inFlight === 0) alive.delete(process);
        const inFlight = [...alive.values()].reduce((sum, one) => sum + one.inFlight, 0);
        expect(inFlight).toBeLessThanOrEqual(LIMIT.inFlight + alive.size);
      }
    }),
    { numRuns: 300 },
  );
});

test("two beats of each process after the last change, the parts add up to the limit, or to one for each process", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.integer({ min: 1, max: 16 }), { minLength: 40, maxLength: 40 }),
      (count, before) => {
        const claims = before.slice(0, count);
        for (let round = 0; round < 2; round++)
          for (let index = 0; index < count; index++) {
            const taken = claims.reduce((sum, claim) => sum + claim, 0) - claims[index]!;
            claims[index] = splitQuota({ index, processes: count, taken }).inFlight;
          }
        expect(claims.reduce((sum, claim) => sum + claim, 0)).toBe(Math.max(LIMIT.inFlight, count));
      },
    ),
  );
});
