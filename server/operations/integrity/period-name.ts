/** A board and its period, as named in lines of the check. */
export const periodName = (key: string, start: string): string =>
  start === "" ? `leaderboard ${key}` : `leaderboard ${key}, period of ${start}`;
