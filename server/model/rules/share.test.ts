import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileShare, isInShare, partOf, shareShape, shareText } from "./share.ts";

const OWNER = { kind: "missions", key: "weekend" } as const;
const compiled = (share: number, salt?: string) => compileShare(shareShape.parse({ share, salt }), OWNER);
const ids = Array.from({ length: 20_000 }, (_, at) => `player-${at}`);
const percentage = fc.integer({ min: 0, max: 10_000 }).map((parts) => parts / 100);

/** The definition, in whole numbers: n / 2^64 < share / 100. */
function isInByDefinition(salt: string, externalId: string, share: number): boolean {
  const n = createHash("sha256").update(`${salt}\0${externalId}`).digest().readBigUInt64BE();
  return n * 10_000n < BigInt(Math.round(share * 100)) << 64n;
}

test("has the members that the definition gives", () =>
  fc.assert(
    fc.property(fc.string(), fc.string({ unit: "grapheme", minLength: 1 }), percentage, (salt, externalId, share) => {
      expect(isInShare(externalId, { ...compiled(share), salt })).toBe(isInByDefinition(salt, externalId, share));
    }),
  ));

test("has the same boundary as another implementation", () => {
  // Worked out with Python's hashlib.
  expect(partOf("player-1", "missions:weekend")).toBe(6_956);
  expect(partOf("player-1", "segments:vip")).toBe(4_559);
  expect(partOf("zoë", "spring")).toBe(2_767);
  expect(isInShare("zoë", compiled(2_767 / 100, "spring"))).toBe(false);
  expect(isInShare("zoë", compiled((2_767 + 1) / 100, "spring"))).toBe(true);
});

test("is that percentage of many players", () => {
  for (const share of [0, 1, 25, 99.5, 100]) {
    const found = ids.filter((id) => isInShare(id, compiled(share))).length;
    expect(Math.abs(found / ids.length - share / 100), `${share}%`).toBeLessThan(0.012);
  }
  expect(ids.some((id) => isInShare(id, compiled(0)))).toBe(false);
  expect(ids.every((id) => isInShare(id, compiled(100)))).toBe(true);
});

test("keeps its members when it is raised", () =>
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), percentage, percentage, (id, one, other) => {
      if (isInShare(id, compiled(Math.min(one, other)))) expect(isInShare(id, compiled(Math.max(one, other)))).toBe(true);
    }),
  ));

test("is independent of a share with another salt, and the same with the same salt", () => {
  const spring = ids.filter((id) => isInShare(id, compiled(50, "spring")));
  const both = spring.filter((id) => isInShare(id, compiled(50, "autumn"))).length;
  expect(Math.abs(both / spring.length - 0.5)).toBeLessThan(0.02);
  expect(ids.filter((id) => isInShare(id, compileShare({ share: 50, salt: "spring" }, { kind: "segments", key: "vip" })))).toEqual(spring);
});

test("without a salt takes one from its definition", () => {
  expect(compiled(25).salt).toBe("missions:weekend");
  expect(compiled(25, "").salt).toBe("");
});

test("takes 0 to 100 with at most two decimals, and a salt without control characters", () => {
  for (const share of [0, 0.01, 33.33, 100]) expect(shareShape.safeParse({ share }).success, String(share)).toBe(true);
  for (const share of [-0.01, 100.01, 33.333, Number.NaN, "25", null]) expect(shareShape.safeParse({ share }).success).toBe(false);
  for (const salt of ["a\nb", "\u0000", "\u007f", "\u0085", 5]) expect(shareShape.safeParse({ share: 1, salt }).success).toBe(false);
});

test("explains where a player stands", () => {
  expect(shareText("zoë", compiled(25, "spring"))).toBe("Share by “spring”: at 27.67%, needs to be less than 25%");
});
