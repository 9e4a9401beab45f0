import { setImmediate as nextTurn } from "node:timers/promises";
import { publicAddress } from "#server/process/base-url.ts";
import { CHAPTERS } from "#web/docs/navigation.ts";
import { ADDRESSES, pageMarkdown } from "./pages.ts";

const ABOUT = `# Engagement service

> A backend sends events about its users, the players. The service keeps their missions, points, shop, leaderboards and streaks, and asks by signed webhook to hand out what they earned. Everything is read back as JSON over HTTP with an API key.

- Reading a player's missions (POST /v1/missions) enters the player. An event that arrives before that counts for no mission.
- Definitions are authored in the dashboard or imported from a file. The public API edits none of them.
- The key chooses the environment, Sandbox or Live. Use a Sandbox key for tests.`;

/** The text of /llms.txt: each page with a line about it. */
export async function llmsText(): Promise<string> {
  const base = publicAddress();
  const chapters = CHAPTERS.map(({ title, entries }) => {
    const lines = entries.map((entry) => `- [${entry.title}](${base}${entry.href}.md): ${entry.about}`);
    return [`## ${title}`, "", ...lines].join("\n");
  });
  const more = `## Machine-readable\n\n- [OpenAPI 3.1](${base}/v1/openapi.json): every endpoint and webhook\n- [All pages in one text](${base}/llms-full.txt)`;
  return `${[ABOUT, ...chapters, more].join("\n\n")}\n`;
}

let full: Promise<string> | undefined;

/** The text of /llms-full.txt, made once. */
export const llmsFullText = (): Promise<string> => (full ??= makeFullText());

async function makeFullText(): Promise<string> {
  const pages: string[] = [];
  for (const address of ADDRESSES) {
    pages.push((await pageMarkdown(address)) ?? "");
    // Yields after each page, so that other requests are answered in between.
    await nextTurn();
  }
  return `${ABOUT}\n\n${pages.join("\n\n---\n\n")}`;
}
