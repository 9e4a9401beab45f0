import { expect, test } from "vitest";
import { testDatabase, testProject } from "./testing.ts";

test("x", async () => {
  console.log(await testProject(await testDatabase()));
  expect(1).toBe(1);
});
