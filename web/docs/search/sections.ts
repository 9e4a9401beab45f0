import { toText } from "../markdown/to-markdown.ts";
import type { Host, Node } from "../markdown/tree.ts";

/** A part of a page that search finds: it begins with a heading that can be linked to. */
export interface SearchSection {
  /** The address with the anchor. */
  id: string;
  page: string;
  /** The heading; the page's for text before the first one. */
  title: string;
  text: string;
}

const isHost = (node: Node): node is Host => typeof node === "object" && "tag" in node;

/** Splits a page at its headings. */
export function sectionsOf(nodes: readonly Node[], href: string, page: string): SearchSection[] {
  const found: { id: string; title: string; nodes: Node[] }[] = [{ id: href, title: page, nodes: [] }];
  const visit = (node: Node, anchor: string | undefined) => {
    if (!isHost(node)) return void found.at(-1)!.nodes.push(node);
    const { tag, props, children } = node;
    if (tag === "h1") return;
    const id = anchor ?? props["id"];
    if (/^h[23]$/.test(tag) && id !== undefined) return void found.push({ id: `${href}#${String(id)}`, title: toText([node]), nodes: [] });
    if (!containsHeading(node)) return void found.at(-1)!.nodes.push(node);
    // In the error reference, links to an entry lead to its article, whose id is the code.
    for (const child of children) visit(child, tag === "article" ? (props["id"] as string | undefined) : undefined);
  };
  for (const node of nodes) visit(node, undefined);
  // A heading directly above other headings adds no result.
  return found.map(({ id, title, nodes: within }) => ({ id, page, title, text: toText(within) })).filter(({ text }) => text !== "");
}

const containsHeading = (node: Node): boolean => isHost(node) && (/^h[1-3]$/.test(node.tag) || node.children.some(containsHeading));
