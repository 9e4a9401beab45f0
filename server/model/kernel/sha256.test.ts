import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hashStart } from "./sha256.ts";

test("is a prefix of node:crypto's hash, for texts of every length around a block", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      const digest = createHash("sha256").update(text).digest();
      expect(hashStart(text)).toEqual({ high: digest.readUInt32BE(0), low: digest.readUInt32BE(4) });
    }),
    { numRuns: 200 },
  );
  for (let length = 0; length < 200; length++) {
    const text = "é".repeat(length);
    expect(hashStart(text).high).toBe(createHash("sha256").update(text).digest().readUInt32BE(0));
  }
});
