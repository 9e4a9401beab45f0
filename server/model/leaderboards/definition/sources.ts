interface SourceRow {
  /** The member that names the source; null if there is only one source. */
  member: "event" | "metric" | "attribute" | null;
  /** The aggregation of scores in the API: "Measured" by the board's measure; null if nothing is aggregated. */
  aggregation: "Measured" | "Sum" | null;
  /** Whether players' held values are ranked: these continue into the next period, and cannot be recomputed from a log. */
  isHeld: boolean;
}

/** The sources of a leaderboard's scores, and their properties. */
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
