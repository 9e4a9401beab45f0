import type { Figure } from "./harness/figure.ts";

/** Every figure by its name, in the order of a run. Each is loaded by the process that measures it. */
export const FIGURES: Record<string, () => Promise<Figure>> = {
  ingest: async () => (await import("./ingest.ts")).ingest,
  "ingest-filled": async () => (await import("./ingest-filled.ts")).ingestFilled,
  sustained: async () => (await import("./sustained.ts")).sustained,
  "sustained-in-play": async () => (await import("./sustained.ts")).sustainedInPlay,
  "single-events": async () => (await import("./sustained.ts")).singleEvents,
  slices: async () => (await import("./slices.ts")).slices,
  "many-missions": async () => (await import("./many-missions.ts")).manyMissions,
  lag: async () => (await import("./lag.ts")).lag,
  "small-read": async () => (await import("./small-read.ts")).smallRead,
  "logged-reads": async () => (await import("./request-log.ts")).loggedReads,
  "logged-events": async () => (await import("./request-log.ts")).loggedEvents,
  "traced-reads": async () => (await import("./traces.ts")).tracedReads,
  "traced-events": async () => (await import("./traces.ts")).tracedEvents,
  feed: async () => (await import("./feed.ts")).feed,
  audience: async () => (await import("./audience.ts")).audience,
  purchases: async () => (await import("./purchases.ts")).purchases,
  "board-read": async () => (await import("./board-read.ts")).boardRead,
  "score-updates": async () => (await import("./score-updates.ts")).scoreUpdates,
  settling: async () => (await import("./settling.ts")).settling,
  webhooks: async () => (await import("./webhooks.ts")).webhooks,
  memory: async () => (await import("./memory.ts")).memory,
  "dashboard-list": async () => (await import("./dashboard-list.ts")).dashboardList,
  "dashboard-scripts": async () => (await import("./dashboard-list.ts")).dashboardScripts,
  insight: async () => (await import("./insight.ts")).insight,
};
