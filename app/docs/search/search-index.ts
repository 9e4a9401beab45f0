import { ADDRESSES, pageTree } from "../markdown/pages.ts";
import { placeOf } from "../navigation.ts";
import { type SearchSection, sectionsOf } from "./sections.ts";

/** Every section of every page, in the order of the navigation. */
export async function searchIndex(): Promise<SearchSection[]> {
  const pages = await Promise.all(
    ADDRESSES.map(async (href) => {
      const { title, chapter } = placeOf(href);
      const tree = await pageTree(href);
      // "Missions" is a guide and a part of the reference.
      return sectionsOf(tree ?? [], href, chapter === "API reference" ? `${title}, API` : title);
    }),
  );
  return pages.flat();
}
