import { setImmediate as nextTurn } from "node:timers/promises";
import { ADDRESSES, pageTree } from "./pages.ts";
import { positionOf } from "#web/docs/navigation.ts";
import { type SearchSection, sectionsOf } from "#web/docs/search/sections.ts";

/** Every section of every page, in the order of the navigation. Yields after each page, so that other requests are answered in between. */
export async function searchIndex(): Promise<SearchSection[]> {
  const sections: SearchSection[] = [];
  for (const href of ADDRESSES) {
    const { title, chapter } = positionOf(href);
    const tree = await pageTree(href);
    // "Missions" is the title of a guide and of a page of the reference.
    sections.push(...sectionsOf(tree ?? [], href, chapter === "API reference" ? `${title}, API` : title));
    await nextTurn();
  }
  return sections;
}
