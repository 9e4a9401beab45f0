import { expect, test } from "vitest";
import { loginRequestFrom } from "./request.ts";

const [hash, lastFour] = ["ab".repeat(32), "9f3c"];

test.each([
  [
    { request: hash + lastFour, name: "laptop" },
    { hash, lastFour, name: "laptop" },
  ],
  [{ request: hash + lastFour }, { hash, lastFour, name: "" }],
  [
    { request: hash + lastFour, name: ["a", "b"] },
    { hash, lastFour, name: "" },
  ],
  [{ request: hash }, null],
  [{ request: `${hash}9F3C` }, null],
  [{ request: [hash + lastFour] }, null],
  [{}, null],
])("the link %j asks for %j", (search, request) => expect(loginRequestFrom(search)).toEqual(request));
