import { TAGS } from "../../server/model/contract/v1.ts";

export interface Entry {
  href: string;
  title: string;
  /** Its content, in a line. */
  about: string;
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
  {
    title: "Start",
    entries: [
      { href: "/docs", title: "Overview", about: "What the service does, and where to start." },
      { href: "/docs/concepts", title: "Concepts", about: "How an event becomes a reward, and the ten words to know." },
    ],
  },
  {
    title: "Guides",
    entries: [
      {
        href: "/docs/guides/first-event",
        title: "Your first event",
        about: "From no player to a completed mission and its points in four requests.",
      },
      {
        href: "/docs/guides/missions",
        title: "Missions",
        about: "The feed, offers to accept, progress to draw, who can take part.",
      },
      { href: "/docs/guides/shop", title: "The shop", about: "Show the listings on sale, buy exactly once, hand over." },
      {
        href: "/docs/guides/leaderboards-and-streaks",
        title: "Leaderboards and streaks",
        about: "Rankings, friends, leagues and days in a row.",
      },
      { href: "/docs/guides/webhooks", title: "Receiving webhooks", about: "Verify in your language; answer; count once." },
      {
        href: "/docs/guides/sandbox-clock",
        title: "Testing with the Sandbox clock",
        about: "See tomorrow's streaks and Monday's league today.",
      },
      {
        href: "/docs/guides/testing",
        title: "Testing your integration",
        about: "A project for each test worker, no sleeps, verified webhooks, CI.",
      },
      { href: "/docs/guides/typed-clients", title: "Typed clients", about: "Generate a client from the OpenAPI document." },
      { href: "/docs/guides/going-live", title: "Going live", about: "Promote, create a key, and what to check first." },
      { href: "/docs/guides/approvals", title: "Approvals for Live", about: "Roles in Live, change requests, and who approves." },
      { href: "/docs/guides/alerts", title: "Notifications and alerts", about: "Email, Slack and signed webhooks; alerts on figures." },
      { href: "/docs/guides/importing", title: "Importing history", about: "Players, attributes, past events and points from files." },
      { href: "/docs/guides/definitions-as-code", title: "Definitions as code", about: "Files in git: pull, plan, apply, and a pipeline." },
    ],
  },
  {
    title: "API reference",
    entries: [
      { href: "/docs/api", title: "Conventions", about: "Conventions of every endpoint, and an overview of all." },
      ...API_TAGS.map(({ tag, href, description }) => ({ href, title: tag, about: description })),
    ],
  },
  {
    title: "Reference",
    entries: [
      { href: "/docs/webhooks", title: "Webhooks", about: "The deliveries to your endpoints, event by event." },
      { href: "/docs/errors", title: "Errors", about: "Every code with its cause and what to do about it." },
      {
        href: "/docs/definitions",
        title: "The definitions file",
        about: "Every list of the file with its members, and the parts they share.",
      },
      { href: "/docs/command-line", title: "The command line", about: "Every command with what it does, tokens, output and exit codes." },
      { href: "/docs/erasure", title: "Erasing a player", about: "What an erasure forgets and keeps, and handing out a player's data." },
      { href: "/docs/operating", title: "Operating", about: "Settings, health, metrics, backups, and remedies for problems." },
      { href: "/docs/changelog", title: "Changelog", about: "What changed, what is stable, and how features are deprecated." },
    ],
  },
];

const ENTRIES = CHAPTERS.flatMap(({ title: chapter, entries }) => entries.map((entry) => ({ ...entry, chapter })));

/** A page's position: title, chapter, and the previous and next page. */
export function positionOf(href: string) {
  const index = ENTRIES.findIndex((entry) => entry.href === href);
  if (index < 0) throw new Error(`${href} is not in the navigation of the docs.`);
  return { ...ENTRIES[index]!, previous: ENTRIES[index - 1], next: ENTRIES[index + 1] };
}
