import { TAGS } from "../../server/api/contract.ts";

export interface Entry {
  href: string;
  title: string;
}

export interface Chapter {
  title: string;
  entries: readonly Entry[];
}

/** The tags of the API with a page each. Webhooks have one of their own: there the receiver answers. */
export const API_TAGS = Object.entries(TAGS)
  .filter(([tag]) => tag !== "Webhooks")
  .map(([tag, description]) => ({ tag, description, slug: tag.toLowerCase(), href: `/docs/api/${tag.toLowerCase()}` }));

/** Everything under /docs, in the order it is read in. */
export const CHAPTERS: readonly Chapter[] = [
  { title: "Start", entries: [{ href: "/docs", title: "Overview" }] },
  {
    title: "Guides",
    entries: [
      { href: "/docs/guides/first-event", title: "Your first event" },
      { href: "/docs/guides/missions", title: "Missions" },
      { href: "/docs/guides/shop", title: "The shop" },
      { href: "/docs/guides/leaderboards-and-streaks", title: "Leaderboards and streaks" },
      { href: "/docs/guides/webhooks", title: "Receiving webhooks" },
      { href: "/docs/guides/sandbox-clock", title: "Testing with the Sandbox clock" },
      { href: "/docs/guides/going-live", title: "Going live" },
    ],
  },
  {
    title: "API reference",
    entries: [{ href: "/docs/api", title: "Conventions" }, ...API_TAGS.map(({ tag, href }) => ({ href, title: tag }))],
  },
  {
    title: "Reference",
    entries: [
      { href: "/docs/webhooks", title: "Webhooks" },
      { href: "/docs/errors", title: "Errors" },
    ],
  },
];

const ENTRIES = CHAPTERS.flatMap(({ title: chapter, entries }) => entries.map((entry) => ({ ...entry, chapter })));

/** Where a page stands: its title and chapter, and what comes before and after it. */
export function placeOf(href: string) {
  const index = ENTRIES.findIndex((entry) => entry.href === href);
  if (index < 0) throw new Error(`${href} is not in the navigation of the docs.`);
  return { ...ENTRIES[index]!, previous: ENTRIES[index - 1], next: ENTRIES[index + 1] };
}
