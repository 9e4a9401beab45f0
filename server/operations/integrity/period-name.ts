/** A board and the period of it, as a line of the check names them. */
export const periodName = (key: string, start: string): string =>
  start === "" ? `leaderboard ${key}` : `leaderboard ${key}, period of ${start}`;
