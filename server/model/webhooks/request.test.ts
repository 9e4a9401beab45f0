import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { SECRET_BYTES, signatureOf, writeSecret } from "./request.ts";

const secretOf = (byte: number) => writeSecret(new Uint8Array(SECRET_BYTES).fill(byte));
const verify = (secret: string, id: string, timestamp: number, signature: string, body: string) =>
  new Webhook(secret).verify(
    body,
    { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature },
    { jsonParse: false },
  );

describe("the signature", () => {
  test("equals Standard Webhooks' own example", () => {
    const signature = signatureOf(
      ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
      "msg_p5jXN8AQM9LWM0D4loKWxJek",
      1614265330,
      '{"test": 2432232314}',
    );
    expect(signature).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });

  test("is accepted by the standard's library for any body", () => {
    const now = Math.floor(Date.now() / 1000);
    fc.assert(
      fc.property(fc.uuid(), fc.string({ unit: "grapheme" }), (id, body) => {
        verify(secretOf(1), id, now, signatureOf([secretOf(1)], id, now, body), body);
      }),
    );
  });

  test("covers the id, the time and the body", () => {
    const now = Math.floor(Date.now() / 1000);
    const signature = signatureOf([secretOf(1)], "a", now, "{}");
    expect(() => verify(secretOf(1), "b", now, signature, "{}")).toThrow();
    expect(() => verify(secretOf(1), "a", now - 1, signature, "{}")).toThrow();
    expect(() => verify(secretOf(1), "a", now, signature, "[]")).toThrow();
    expect(() => verify(secretOf(2), "a", now, signature, "{}")).toThrow();
  });

  test("of two secrets is accepted with either", () => {
    const now = Math.floor(Date.now() / 1000);
    const signature = signatureOf([secretOf(1), secretOf(2)], "a", now, "{}");
    verify(secretOf(1), "a", now, signature, "{}");
    verify(secretOf(2), "a", now, signature, "{}");
    expect(() => verify(secretOf(3), "a", now, signature, "{}")).toThrow();
  });
});

test("a secret has the prefix that people know it by", () => {
  expect(secretOf(0)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});
