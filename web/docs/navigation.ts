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

const page = (href: string, title: string, about: string): Entry => ({ href, title, about });

/** Everything under /docs, in the order it is read in. */
export const CHAPTERS: readonly Chapter[] = [
  {
    title: "Start",
    entries: [
      page("/docs", "Overview", "What the service does, and where to start."),
      page("/docs/concepts", "Concepts", "How an event becomes a reward, and the ten words to know."),
    ],
  },
  {
    title: "Guides",
    entries: [
      page("/docs/guides/first-event", "Your first event", "From no player to a completed mission and its points in four requests."),
      page("/docs/guides/missions", "Missions", "The feed, offers to accept, progress to draw, who can take part."),
      page("/docs/guides/shop", "The shop", "Show the listings on sale, buy exactly once, hand over."),
      page("/docs/guides/leaderboards-and-streaks", "Leaderboards and streaks", "Rankings, friends, leagues and days in a row."),
      page("/docs/guides/webhooks", "Receiving webhooks", "Verify in your language; answer; count once."),
      page("/docs/guides/sandbox-clock", "Testing with the Sandbox clock", "See tomorrow's streaks and Monday's league today."),
      page("/docs/guides/testing", "Testing your integration", "A project for each test worker, no sleeps, verified webhooks, CI."),
      page("/docs/guides/typed-clients", "Typed clients", "Generate a client from the OpenAPI document."),
      page("/docs/guides/going-live", "Going live", "Promote, create a key, and what to check first."),
      page("/docs/guides/approvals", "Approvals for Live", "Roles in Live, change requests, and who approves."),
      page("/docs/guides/alerts", "Notifications and alerts", "Email, Slack and signed webhooks; alerts on figures."),
      page("/docs/guides/importing", "Importing history", "Players, attributes, past events and points from files."),
      page("/docs/guides/definitions-as-code", "Definitions as code", "Files in git: pull, plan, apply, and a pipeline."),
    ],
  },
  {
    title: "API reference",
    entries: [
      page("/docs/api", "Conventions", "Conventions of every endpoint, and an overview of all."),
      ...API_TAGS.map(({ tag, href, description }) => page(href, tag, description)),
    ],
  },
  {
    title: "Reference",
    entries: [
      page("/docs/webhooks", "Webhooks", "The deliveries to your endpoints, event by event."),
      page("/docs/errors", "Errors", "Every code with its cause and what to do about it."),
      page("/docs/definitions", "The definitions file", "Every list of the file with its members, and the parts they share."),
      page("/docs/command-line", "The command line", "Every command with what it does, tokens, output and exit codes."),
      page("/docs/erasure", "Erasing a player", "What an erasure forgets and keeps, and handing out a player's data."),
      page("/docs/operating", "Operating", "Settings, health, metrics, backups, and remedies for problems."),
      page("/docs/changelog", "Changelog", "What changed, what is stable, and how features are deprecated."),
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
