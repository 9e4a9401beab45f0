import { createElement as el } from "react";
import { afterAll, describe, expect, it, test, vi } from "vitest";
import { ERRORS } from "#server/model/kernel/errors.ts";
import { CodeBlock } from "../code/code-block.tsx";
import { curlOf } from "../code/languages.ts";
import { codeText } from "../code/shown.ts";
import { MAKE_KEY } from "../guides/exchange.ts";
import { GUIDES } from "../guides/guides.ts";
import { RECEIVERS } from "../guides/receivers.ts";
import { generate } from "../guides/samples.ts";
import { searchIn } from "../search/search-in.ts";
import { searchIndex } from "../../../app/docs/markdown/search-index.ts";
import { marked, snippetOf, stemOf } from "../search/words.ts";
import { Note } from "../text.tsx";
import { llmsFullText, llmsText } from "../../../app/docs/markdown/llms.ts";
import { ADDRESSES, pageMarkdown, pageTree } from "../../../app/docs/markdown/pages.ts";
import { toMarkdown } from "./to-markdown.ts";
import { type Code, type Node, treeOf } from "./tree.ts";

const BASE = "https://points.example.com";
vi.stubEnv("BASE_URL", BASE);
// Files share their worker.
afterAll(() => void vi.unstubAllEnvs());

const row = (cell: string, ...cells: string[]) => el("tr", { key: cells[0] }, ...cells.map((text) => el(cell, { key: text }, text)));

describe("a page's elements as Markdown", () => {
  it.each<[what: string, element: React.ReactNode, markdown: string]>([
    ["a heading without the link to itself", el("h2", { id: "a" }, el("a", { href: "#a" }, "Title")), "## Title"],
    [
      "marks in a line",
      el("p", {}, el("b", {}, "Bold"), ", ", el("code", {}, "a_b"), " and ", el("em", {}, "so")),
      "**Bold**, `a_b` and *so*",
    ],
    ["signs that would be marks", el("p", {}, "2 * 3 < snake_case"), String.raw`2 \* 3 \< snake\_case`],
    ["elements side by side", el("p", {}, el("code", {}, "a"), el("span", {}, "string"), el("span", {}, ", b")), "`a` string, b"],
    ["an absolute link", el("p", {}, el("a", { href: "/docs/api" }, "API")), `[API](${BASE}/docs/api)`],
    ["a list in a list", el("ul", {}, el("li", {}, el("p", {}, "one"), el("ul", {}, el("li", {}, "two")))), "- one\n\n  - two"],
    ["a table", el("table", {}, el("tbody", {}, row("th", "A", "B"), row("td", "1", "x|y"))), "| A | B |\n| --- | --- |\n| 1 | x\\|y |"],
    ["code", el(CodeBlock, { title: "T", language: "json", code: "{}" }), "```json\n{}\n```"],
    ["a note", el(Note, { title: "Mind", children: el("p", {}, "this") }), "> Mind\n>\n> this"],
    ["no navigation and nothing hidden", [el("nav", { key: 1 }, "x"), el("p", { key: 2, "aria-hidden": true }, "y")], ""],
  ])("%s", async (_, element, markdown) => expect(toMarkdown(await treeOf(element), `${BASE}/docs`)).toBe(`${markdown}\n`));
});

test("every page of the navigation has Markdown, in /llms.txt as a link and in /llms-full.txt as text", async () => {
  const [index, full] = await Promise.all([llmsText(), llmsFullText()]);
  for (const href of ADDRESSES) {
    const text = (await pageMarkdown(href)) ?? "";
    expect(text, href).toMatch(/^# \S/);
    expect(text, href).not.toMatch(/undefined|\[object /);
    expect(index).toContain(`(${BASE}${href}.md): `);
    // Pages show the present time.
    expect(full).toContain(text.split("```")[0]);
  }
  expect(await pageMarkdown("/docs/nowhere")).toBeNull();
});

test("search has every section and every error once, and matches prefixes and typos", async () => {
  const sections = await searchIndex();
  const ids = sections.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining([...ADDRESSES, ...Object.keys(ERRORS).map((code) => `/docs/errors#${code}`)]));
  const search = searchIn(sections);
  const first = (query: string) => search(query)[0]?.href;
  expect(first("points.insufficient_balance")).toBe("/docs/errors#points.insufficient_balance");
  expect(first("send eve")).toBe("/docs/api/events#sendEvents");
  expect(first("sandbx clock")).toBe("/docs/guides/sandbox-clock");
  expect(search("no-such-word-anywhere")).toEqual([]);
  const foundFirst = SOUGHT.map(([query]) => [query, first(query)?.split("#")[0]]);
  expect(foundFirst).toEqual(SOUGHT);
});

/** Searches that people type, and the page that each should find. */
const SOUGHT: readonly [query: string, page: string][] = [
  ["erase player", "/docs/erasure"],
  ["erasing players", "/docs/erasure"],
  ["gdpr erasure", "/docs/erasure"],
  ["duplicate delivery", "/docs/guides/webhooks"],
  ["duplicated deliveries", "/docs/guides/webhooks"],
  ["plan apply", "/docs/guides/definitions-as-code"],
  ["applying a plan", "/docs/guides/definitions-as-code"],
  ["definitions format", "/docs/definitions"],
  ["import history", "/docs/guides/importing"],
  ["importing csv", "/docs/guides/importing"],
  ["command line", "/docs/command-line"],
  ["wehbook", "/docs/webhooks"],
  ["leaderbord", "/docs/api/leaderboards"],
];

test.each([
  ["erase", "erasing", "erased", "erases", "erasure"],
  ["delivery", "deliveries"],
  ["apply", "applies", "applied", "applying"],
  ["plan", "planned", "planning"],
  ["webhook", "webhooks"],
  ["import", "imports", "imported", "importing"],
])("%s is found by each of its forms", (word, ...forms) => {
  for (const form of forms) expect(stemOf(form), form).toBe(stemOf(word));
});

test("a snippet shows the first match between whole words, and marks each", () => {
  const stretches = snippetOf(`${"before ".repeat(20)}a Webhook and webhooks${" after".repeat(40)}`, ["webhook"]);
  const text = stretches.map((stretch) => stretch.text).join("");
  expect(text).toMatch(/^… before .* after …$/);
  expect(text.length).toBeLessThan(180);
  expect(stretches.filter(({ isMatch }) => isMatch).map((stretch) => stretch.text)).toEqual(["Webhook", "webhook"]);
});

test("a word is marked in the form in which it is written", () => {
  const markedIn = (text: string, query: string) =>
    marked(text, query.split(" ").map(stemOf))
      .filter(({ isMatch }) => isMatch)
      .map((one) => one.text);
  expect(markedIn("Each delivery, all deliveries", "deliveries")).toEqual(["delivery", "deliveri"]);
  expect(markedIn("Apply what is planned", "applied plan")).toEqual(["Apply", "plan"]);
});

test.each(Object.entries(GUIDES))("%s shows no line for a shell that its test does not run", async (href, stepsAt) => {
  const steps = Object.values(stepsAt(Date.now()));
  const run = [MAKE_KEY, ...steps].map((step) => ("command" in step ? step.command : codeText(curlOf(step, BASE))));
  const tree = (await pageTree(href)) ?? [];
  // Tests of their own run these.
  const others = [...RECEIVERS.map(({ install }) => install), generate(BASE)];
  const shown = codesIn(tree).filter(({ language, code }) => language === "shell" && !others.includes(code));
  expect(shown.length).toBeGreaterThan(0);
  for (const { code } of shown) expect(run.map(untimed)).toContain(untimed(code));
});

const untimed = (code: string): string => code.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "now");

const codesIn = (nodes: readonly Node[]): Code[] =>
  nodes.flatMap((node) => (typeof node === "string" ? [] : "code" in node ? [node] : codesIn(node.children)));
