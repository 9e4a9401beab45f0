import type { Code, Host, Node } from "./tree.ts";

/** Inline elements. All others are blocks. */
const INLINE = new Set(["a", "abbr", "b", "br", "code", "em", "i", "kbd", "span", "strong"]);

const isCode = (node: Node): node is Code => typeof node === "object" && "code" in node;
const isInline = (node: Node): boolean => typeof node === "string" || (!isCode(node) && INLINE.has(node.tag));

/** A page as Markdown. Links become absolute, based on the page's `address`. */
export const toMarkdown = (nodes: readonly Node[], address: string): string => `${blocksOf(nodes, address).join("\n\n")}\n`;

/** A page's text on one line, without code blocks. */
export const toText = (nodes: readonly Node[]): string => nodes.map(plain).join(" ").replace(/\s+/g, " ").trim();

function plain(node: Node): string {
  if (typeof node === "string") return node;
  if (isCode(node)) return "";
  const inner = node.children.map(plain);
  return node.children.every(isInline) ? inline(node.children, plain) : inner.join(" ");
}

function blocksOf(nodes: readonly Node[], address: string): string[] {
  const blocks: string[] = [];
  let line: Node[] = [];
  const endLine = () => {
    const text = lineOf(line, address);
    if (text !== "") blocks.push(text);
    line = [];
  };
  for (const node of nodes) {
    if (isInline(node)) {
      line.push(node);
      continue;
    }
    endLine();
    blocks.push(...(isCode(node) ? [fenced(node)] : blockOf(node as Host, address)));
  }
  endLine();
  return blocks.filter((block) => block !== "");
}

function blockOf({ tag, props, children }: Host, address: string): string[] {
  const heading = /^h([1-6])$/.exec(tag);
  if (heading) return [`${"#".repeat(Number(heading[1]))} ${lineOf(children, address, { isHeading: true })}`];
  if (tag === "ul" || tag === "ol") return [listOf(children, tag === "ol", address)];
  if (tag === "table") return [tableOf(children, address)];
  if (tag === "img") return [`![${String(props["alt"] ?? "")}](${absolute(props["src"], address)})`];
  if (tag === "summary") return [`${lineOf(children, address)}:`];
  const blocks = blocksOf(children, address);
  return props["role"] === "note" ? [quoted(blocks.join("\n\n"))] : blocks;
}

const quoted = (text: string): string => text.replace(/^(?=.)/gm, "> ").replace(/^$/gm, ">");

const fenced = ({ code, language }: Code): string => `\`\`\`${language === "text" ? "" : language}\n${code}\n\`\`\``;

function listOf(children: readonly Node[], isNumbered: boolean, address: string): string {
  const items = children.filter((child): child is Host => typeof child === "object" && "tag" in child);
  return items
    .map((item, index) => {
      const mark = isNumbered ? `${index + 1}. ` : "- ";
      const indent = " ".repeat(mark.length);
      return (
        mark +
        blocksOf(item.children, address)
          .join("\n\n")
          .replace(/\n(?=.)/g, `\n${indent}`)
      );
    })
    .join("\n");
}

function tableOf(children: readonly Node[], address: string): string {
  const rows = rowsIn(children).map((row) => `| ${row.map((cell) => lineOf(cell, address).replaceAll("|", String.raw`\|`)).join(" | ")} |`);
  const columns = rowsIn(children)[0]?.length ?? 0;
  return [rows[0], `|${" --- |".repeat(columns)}`, ...rows.slice(1)].join("\n");
}

/** The cells of each row, in any row group. */
const rowsIn = (nodes: readonly Node[]): (readonly Node[])[][] =>
  nodes.flatMap((node) => {
    if (typeof node === "string" || isCode(node)) return [];
    if (node.tag !== "tr") return rowsIn(node.children);
    return [node.children.flatMap((cell) => (typeof cell === "object" && "tag" in cell ? [cell.children] : []))];
  });

/** Inline content; blocks inside it, such as two paragraphs in a table cell, follow each other. */
const lineOf = (nodes: readonly Node[], address: string, { isHeading = false } = {}): string =>
  inline(nodes, (node) => {
    if (typeof node === "string") return node.replace(/\s+/g, " ").replace(/[\\*_`<]/g, String.raw`\$&`);
    if (isCode(node)) return `\`${node.code}\``;
    const { tag, props, children } = node;
    const inner = lineOf(children, address, { isHeading });
    if (tag === "br") return "\n";
    if (tag === "code" || tag === "kbd") return `\`${children.map(plain).join("")}\``;
    if (tag === "strong" || tag === "b") return `**${inner}**`;
    if (tag === "em" || tag === "i") return `*${inner}*`;
    // Headings contain a link to themselves.
    if (tag === "a" && !(isHeading && String(props["href"]).startsWith("#"))) return `[${inner}](${absolute(props["href"], address)})`;
    return inner;
  }).trim();

/** Adjacent elements are separated by CSS; text needs a space. */
function inline(nodes: readonly Node[], textOf: (node: Node) => string): string {
  let line = "";
  for (const [index, node] of nodes.entries()) {
    const text = textOf(node);
    const follows = index > 0 && typeof node === "object" && typeof nodes[index - 1] === "object";
    line += follows && /[^\s(]$/.test(line) && /^[^\s,.;:)]/.test(text) ? ` ${text}` : text;
  }
  return line;
}

const absolute = (href: unknown, address: string): string => new URL(String(href), address).href;
