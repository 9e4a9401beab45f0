import { expect, test } from "vitest";
import { isOverdue } from "./request-words.tsx";

test.each([
  ["Open", "2020-03-01T10:00:00.000Z", true],
  ["Open", "2999-03-01T10:00:00.000Z", false],
  ["Open", null, false],
  ["Approved", "2020-03-01T10:00:00.000Z", false],
  ["Applied", "2020-03-01T10:00:00.000Z", false],
] as const)("a request applies with its approval if its time has passed while it waits: %s, %s", (state, dueAt, isOver) => {
  expect(isOverdue({ state, dueAt })).toBe(isOver);
});
