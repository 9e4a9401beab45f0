import { type ComponentType, createElement } from "react";
import { publicAddress } from "#server/process/base-url.ts";
import { API_TAGS, CHAPTERS } from "#web/docs/navigation.ts";
import { toMarkdown } from "#web/docs/markdown/to-markdown.ts";
import { type Node, treeOf } from "#web/docs/markdown/tree.ts";

type Load = () => Promise<{ default: ComponentType<never> }>;

/** The component of each page. Markdown and search are made from the same components as the pages in a browser. */
const PAGES: Readonly<Record<string, Load>> = {
  "/docs": () => import("../page.tsx"),
  "/docs/concepts": () => import("../concepts/page.tsx"),
  "/docs/guides/first-event": () => import("../guides/first-event/page.tsx"),
  "/docs/guides/missions": () => import("../guides/missions/page.tsx"),
  "/docs/guides/shop": () => import("../guides/shop/page.tsx"),
  "/docs/guides/leaderboards-and-streaks": () => import("../guides/leaderboards-and-streaks/page.tsx"),
  "/docs/guides/webhooks": () => import("../guides/webhooks/page.tsx"),
  "/docs/guides/sandbox-clock": () => import("../guides/sandbox-clock/page.tsx"),
  "/docs/guides/testing": () => import("../guides/testing/page.tsx"),
  "/docs/guides/typed-clients": () => import("../guides/typed-clients/page.tsx"),
  "/docs/guides/going-live": () => import("../guides/going-live/page.tsx"),
  "/docs/guides/approvals": () => import("../guides/approvals/page.tsx"),
  "/docs/guides/alerts": () => import("../guides/alerts/page.tsx"),
  "/docs/guides/importing": () => import("../guides/importing/page.tsx"),
  "/docs/guides/definitions-as-code": () => import("../guides/definitions-as-code/page.tsx"),
  "/docs/api": () => import("../api/page.tsx"),
  "/docs/webhooks": () => import("../webhooks/page.tsx"),
  "/docs/errors": () => import("../errors/page.tsx"),
  "/docs/definitions": () => import("../definitions/page.tsx"),
  "/docs/command-line": () => import("../command-line/page.tsx"),
  "/docs/erasure": () => import("../erasure/page.tsx"),
  "/docs/operating": () => import("../operating/page.tsx"),
  "/docs/changelog": () => import("../changelog/page.tsx"),
};

/** The addresses of all pages, in the order they are read in. */
export const ADDRESSES: readonly string[] = CHAPTERS.flatMap(({ entries }) => entries.map(({ href }) => href));

/** The elements of a page; null if there is no such page. */
export async function pageTree(href: string): Promise<Node[] | null> {
  const tag = API_TAGS.find((one) => one.href === href);
  const load: Load | undefined = tag ? () => import("../api/[tag]/page.tsx") : PAGES[href];
  if (!load) return null;
  const { default: component } = await load();
  const props = tag ? { params: Promise.resolve({ tag: tag.slug }) } : {};
  return treeOf(createElement(component as ComponentType<object>, props));
}

/** A page as Markdown; null if there is no such page. */
export async function pageMarkdown(href: string): Promise<string | null> {
  const tree = await pageTree(href);
  return tree && toMarkdown(tree, publicAddress() + href);
}
