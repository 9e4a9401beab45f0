import { expect, it } from "vitest";
import { ExportWriter } from "./export-writer.ts";

it("pages become one JSON object, digit for digit, empty sections included", () => {
  const writer = new ExportWriter();
  writer.add("profile", ['{"externalId":"ann"}']);
  writer.add("events", ['{"n":12345678901234567890.5}']);
  writer.add("events", ['{"n":1}']);
  writer.add("teams", []);
  expect(writer.text()).toContain("12345678901234567890.5");
  expect(JSON.parse(writer.text())).toEqual({
    profile: [{ externalId: "ann" }],
    events: [{ n: 12345678901234567890.5 }, { n: 1 }],
    teams: [],
  });
  expect(writer.rows).toBe(3);
  expect(JSON.parse(new ExportWriter().text())).toEqual({});
});
