export interface Release {
  /** The version in package.json. */
  version: string;
  title: string;
  /** For API users. `code` is marked up. */
  changes: readonly string[];
}

/** Newest first. The newest is the running version. */
export const RELEASES: readonly Release[] = [
  {
    version: "0.1.0",
    title: "the first version",
    changes: [
      "`/v1` with events, metrics, attributes, players, missions, streaks, leaderboards, the marketplace and points.",
      "Four webhooks, signed as Standard Webhooks say: `mission.completed`, `catalog_item.fulfillment_requested`, `streak.milestone_reached` and `leaderboard.period_closed`.",
      "A Sandbox with a clock that moves ahead, in each project.",
      "Every request and every event can be looked up in the dashboard, with what it changed and why.",
    ],
  },
];
