import Link from "next/link";
import { Fragment, isValidElement, type ReactElement, type ReactNode } from "react";
import { publicAddress } from "#server/process/base-url.ts";
import { CodeBlock, RequestBlock } from "../code/code-block.tsx";
import { curlOf } from "../code/languages.ts";
import { codeText, type Piece } from "../code/shown.ts";
import { ReceiverTabs } from "../guides/shown.tsx";
import { type Receiver, RECEIVERS } from "../guides/receivers.ts";

/** An HTML element with its children. */
export interface Host {
  tag: string;
  props: Readonly<Record<string, unknown>>;
  children: readonly Node[];
}

/** Code with the language that a fence names. */
export interface Code {
  code: string;
  language: string;
}

/** A page's elements, with components resolved. */
export type Node = string | Host | Code;

/** Components around the text, or decorations. */
const LEFT_OUT = new Set(["nav", "button", "svg", "style", "script"]);

type CodeProps = Parameters<typeof CodeBlock>[0];
type RequestProps = Parameters<typeof RequestBlock>[0];

/** A page's elements, with server components called. Client components show no text. */
export async function treeOf(node: ReactNode): Promise<Node[]> {
  if (typeof node === "string" || typeof node === "number") return [String(node)];
  if (node instanceof Promise) return treeOf((await node) as ReactNode);
  if (Array.isArray(node)) return (await Promise.all(node.map(treeOf))).flat();
  if (!isValidElement<Record<string, unknown>>(node) || isHidden(node)) return [];
  const { type, props } = node;
  if (type === CodeBlock) return [codeIn(props as unknown as CodeProps)];
  if (type === RequestBlock) return [codeIn({ code: curlOf((props as unknown as RequestProps).request, publicAddress()) })];
  if (type === ReceiverTabs) return RECEIVERS.flatMap(receiverIn);
  if (type === Fragment) return treeOf(props["children"] as ReactNode);
  if (type === Link) return [{ tag: "a", props, children: await treeOf(props["children"] as ReactNode) }];
  if (typeof type === "string") return [{ tag: type, props, children: await treeOf(props["children"] as ReactNode) }];
  if (isOfTheBrowser(type)) return [];
  return treeOf((type as (props: object) => ReactNode)(props));
}

const isHidden = ({ type, props }: ReactElement<Record<string, unknown>>): boolean =>
  props["aria-hidden"] === true || props["data-markdown"] === "none" || LEFT_OUT.has(type as string);

/** On the server a client component is a reference that must not be called; elsewhere icons and links are objects. */
const isOfTheBrowser = (type: unknown): boolean =>
  typeof type !== "function" || (type as { $$typeof?: symbol }).$$typeof === Symbol.for("react.client.reference");

/** A receiver's languages one after the other. */
const receiverIn = ({ name, install, language, code }: Receiver): Node[] => [
  { tag: "h3", props: {}, children: [name] },
  { code: install, language: "shell" },
  { code, language },
];

function codeIn({ code, language = "text" }: { code: string | readonly Piece[]; language?: string }): Code {
  return { code: codeText(code), language: typeof code === "string" ? language : code[0]!.language };
}
