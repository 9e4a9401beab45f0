import { expect, test } from "vitest";
import { bearerKey, hashOf, hintOf, KEY_BYTES, writeApiKey } from "./key.ts";

const random = Buffer.alloc(KEY_BYTES, 0xab);

test("a key is its environment's prefix and 64 hex characters", () => {
  expect(writeApiKey("sandbox", random)).toBe(`svc_sbox_${"ab".repeat(32)}`);
  expect(writeApiKey("live", random)).toBe(`svc_live_${"ab".repeat(32)}`);
});

test("the hint gives away the last four characters and no more", () => {
  expect(hintOf(writeApiKey("live", random))).toBe("svc_live_…abab");
});

test("the hash is the SHA-256 of the whole key", () => {
  expect(hashOf("abc").toString("hex")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test.each(["Bearer KEY", "bearer KEY", "BEARER   KEY"])("%s carries a key", (header) => {
  const key = writeApiKey("sandbox", random);
  expect(bearerKey(header.replace("KEY", key))).toBe(key);
});

test.each([undefined, "", "KEY", "Basic KEY", "BearerKEY", "Bearer KEYx", "Bearer KEY KEY", "Bearer KEY, Bearer KEY"])(
  "%s carries none",
  (header) => {
    expect(bearerKey(header?.replaceAll("KEY", writeApiKey("sandbox", random)))).toBeNull();
  },
);
