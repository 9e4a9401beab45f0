import { expect, it } from "vitest";
import { lastPlaceFrom } from "./last-place.ts";

it.each([
  ["acme/live", { project: "acme", environment: "live" }],
  ["acme/sandbox", { project: "acme", environment: "sandbox" }],
  ["acme/production", null],
  ["acme", null],
  ["/live", null],
  ["", null],
  [undefined, null],
])("the cookie %j leads to %j", (text, place) => expect(lastPlaceFrom(text)).toEqual(place));
