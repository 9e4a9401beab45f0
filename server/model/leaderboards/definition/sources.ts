interface SourceRow {
  /** The member that names the source; null where there is but one. */
  member: "event" | "metric" | "attribute" | null;
  /** How scores come about, as the API tells: "Measured" by the board's measure; null where nothing is aggregated. */
  aggregation: "Measured" | "Sum" | null;
  /** Whether what players hold is ranked: it goes on into the next period, and no log gives it again. */
  isHeld: boolean;
}

/** Where the scores of a leaderboard come from, and what follows from it. */
export const SCORE_SOURCES = {
  Event: { member: "event", aggregation: "Measured", isHeld: false },
  Metric: { member: "metric", aggregation: "Measured", isHeld: false },
  Points: { member: null, aggregation: "Sum", isHeld: false },
  Attribute: { member: "attribute", aggregation: null, isHeld: true },
} as const satisfies Record<string, SourceRow>;

export type ScoreSource = keyof typeof SCORE_SOURCES;

export const SOURCE_NAMES = Object.keys(SCORE_SOURCES) as [ScoreSource, ...ScoreSource[]];

/** The members that name a source. */
export const SOURCE_MEMBERS = Object.values(SCORE_SOURCES).flatMap(({ member }) => member ?? []);

export const isHeld = ({ scoreSource }: { scoreSource: ScoreSource }): boolean => SCORE_SOURCES[scoreSource].isHeld;
