import { expect, test } from "vitest";
import { keptBody, keptHeaders, readableText } from "./answer.ts";

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));

test.each([
  ["plain text and markup as they are", bytes("<h1>é</h1>\r\n\t🙂"), false, "<h1>é</h1>\r\n\t🙂", true],
  ["a character that the cut went through is left out", bytes("ok ", [0xf0, 0x9f, 0x99]), true, "ok ", true],
  ["a whole last character stays, cut or not", bytes("ok é"), true, "ok é", true],
  ["half a character at the end of a complete text is no UTF-8", bytes("ok ", [0xc3]), false, "ok \\xc3", false],
  ["bytes that are no text show as escapes", bytes([0x1f, 0x8b, 0x08, 0x00], "a"), false, "\\x1f\\x8b\\x08\\x00a", false],
  [
    "nothing that a terminal or a page would obey",
    bytes("a\u0000\u001b[31m\u202e\u200fb\u0085"),
    false,
    "a\\x00\\x1b[31m\\u202e\\u200fb\\x85",
    true,
  ],
  ["an empty body", bytes(""), true, "", true],
])("%s", (_, body, isCut, text, isUtf8) => {
  expect(readableText(body, isCut)).toEqual({ text, isUtf8 });
});

test("only helpful headers are kept, shortened, and no cookies", () => {
  expect(keptHeaders({ location: "https://x.test/a?token=b#c" })).toEqual({ location: "https://x.test/a" });
  expect(keptHeaders({ "content-type": "text/html", "set-cookie": ["a=b"], location: "x".repeat(1000), via: ["a", "b"] })).toEqual({
    "content-type": "text/html",
    location: "x".repeat(300),
    via: "a, b",
  });
});

test("secrets that a receiver prints are removed, and every other byte is kept", () => {
  const kept = (...parts: (string | number[])[]) => Buffer.from(keptBody(Buffer.from(bytes(...parts))));
  expect(kept("é KEY=svc_live_0f SECRET=whsec_ab%2Bc%3D ", [0xff, 0])).toEqual(
    Buffer.from(bytes("é KEY=[secret] SECRET=[secret] ", [0xff, 0])),
  );
  expect(keptHeaders({ via: "whsec_abc=", location: "https://a.test/svc_live_0f" })).toEqual({
    via: "[secret]",
    location: "https://a.test/[secret]",
  });
});
