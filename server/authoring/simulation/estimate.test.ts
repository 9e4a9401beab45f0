import fc from "fast-check";
import { expect, test } from "vitest";
import { playerKey } from "../../model/players/identity.ts";
import { estimate } from "./estimate.ts";

test("from the first players by key the number of all is estimated within a few percent", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 5_000, max: 20_000 }), (environmentId, players) => {
      const ids = Array.from({ length: players }, (_, at) => playerKey(environmentId, `p${at}`).playerId).sort();
      const { players: estimated, qualifying } = estimate(3_000, 1_500, ids[2_999]!);
      expect(Math.abs(estimated - players) / players).toBeLessThan(0.1);
      expect(Math.abs(qualifying - estimated / 2)).toBeLessThanOrEqual(1);
    }),
    { numRuns: 5 },
  );
});

test("without players the estimate is zero", () => {
  expect(estimate(0, 0, null)).toEqual({ players: 0, qualifying: 0 });
});
