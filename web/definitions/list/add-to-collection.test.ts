import { expect, it } from "vitest";
import { withMembers } from "./add-to-collection.tsx";

it("a collection gets the missing members, at its end, each once", () => {
  const collection = { key: "home", items: ["a", "b"] };
  expect(withMembers(collection, "items", ["b", "c"])).toEqual({ document: { key: "home", items: ["a", "b", "c"] }, added: 1 });
  expect(withMembers(collection, "items", ["a"])).toEqual({ document: collection, added: 0 });
});
