import fc from "fast-check";
import { expect, test } from "vitest";
import { RankCache } from "./rank-cache.ts";

test("the rank cache ranks as sorting does, after any changes", () => {
  const changes = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: -3, max: 30 })), { maxLength: 200 });
  fc.assert(
    fc.property(changes, (all) => {
      const cache = new RankCache();
      const scores = new Map<string, number>();
      for (const [player, score] of all) {
        cache.set(`p${player}`, score);
        scores.set(`p${player}`, score);
      }
      const sorted = [...scores].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([id]) => id);
      expect(cache.slice(0, 100)).toEqual(sorted);
      expect(cache.slice(3, 4)).toEqual(sorted.slice(3, 7));
      for (const [id, score] of scores) {
        expect(cache.scoreOf(id)).toBe(score);
        expect(cache.above(score)).toBe([...scores.values()].filter((other) => other > score).length);
      }
    }),
    { numRuns: 100 },
  );
});
