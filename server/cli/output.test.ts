import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { note, Output, print, styled } from "./output.ts";

const EVIL = "\u001b]0;owned\u0007\u001b[2Ka\u009b31m\tb\nc\u202e";
/** Control characters that a terminal may act on, apart from line ends and tabs. */
const OBEYED = /(?![\n\t])\p{C}/u;

const printed: string[] = [];
vi.spyOn(console, "log").mockImplementation((text: string) => void printed.push(text));
vi.spyOn(console, "error").mockImplementation((text: string) => void printed.push(text));
afterEach(() => printed.splice(0));

test.each([true, false])("no cell acts on the terminal, or makes a column or a line (on a terminal: %s)", (isTerminal) => {
  new Output({ isJson: false, isTerminal }).rows(["NAME", "KEY"], [[EVIL, "k"], ["plain", EVIL]], { json: [], empty: "" }); // oxfmt-ignore
  expect(printed.join("\n").replaceAll(styled("dim", "NAME"), "")).not.toMatch(OBEYED);
  const lines = printed[0]!.split("\n");
  expect(lines).toHaveLength(isTerminal ? 3 : 2);
  if (!isTerminal) for (const line of lines) expect(line.split("\t")).toHaveLength(2);
});

test("text for people keeps its lines and styles, and no other control characters", () => {
  note(`The token "${EVIL}" is revoked.`);
  print(`\u001b[1mbold\u001b[22m\t${EVIL}`);
  new Output({ isJson: false }).data({}, EVIL);
  expect(printed[1]).toMatch(/^\u001b\[1mbold\u001b\[22m\t/);
  for (const text of printed) expect(text.replaceAll(/\u001b\[(?:1|22)m/g, "")).not.toMatch(OBEYED);
});

test("on a terminal a message takes the place of the line that shows progress", () => {
  const { isTTY } = process.stderr;
  onTestFinished(() => void (process.stderr.isTTY = isTTY));
  process.stderr.isTTY = true;
  note("25% …");
  expect(printed).toEqual(["\r\u001b[K25% …"]);
});

test("JSON is the same value, with control characters as escapes", () => {
  const value = { name: EVIL, emoji: "👩‍🍳", list: ["\u{e0041}"] };
  new Output({ isJson: true }).data(value, "");
  expect(printed[0]).not.toMatch(OBEYED);
  expect(JSON.parse(printed[0]!)).toEqual(value);
});
