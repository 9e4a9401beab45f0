import { expect, test } from "vitest";
import { encodingRefusal } from "./file-text.ts";

const file = (encoding: BufferEncoding, end?: number) => new File([Buffer.from("name\nCafé", encoding).subarray(0, end)], "cafe.csv");

test("a file that is not UTF-8 is refused in words, also when it ends within a character", async () => {
  const refusal = "cafe.csv is not UTF-8 text. Save it as UTF-8, in Excel as “CSV UTF-8”, and choose it again.";
  expect(await encodingRefusal(file("latin1"))).toBe(refusal);
  expect(await encodingRefusal(file("utf8", -1))).toBe(refusal);
  expect(await encodingRefusal(file("utf8"))).toBeNull();
});
