/** The number of hexadecimal digits of an id used as its position in the key range. */
const DIGITS = 12;

/**
 * Estimates how many players there are and how many qualify, from the first ones by key, up to that of `lastId`. Keys are hashes and so
 * lie evenly: a tenth of the key range holds a tenth of the players.
 */
export function estimate(evaluated: number, qualified: number, lastId: string | null): { players: number; qualifying: number } {
  if (lastId === null || evaluated === 0) return { players: 0, qualifying: 0 };
  const seen = (Number.parseInt(lastId.replaceAll("-", "").slice(0, DIGITS), 16) + 1) / 16 ** DIGITS;
  const players = Math.max(evaluated, Math.round(evaluated / seen));
  return { players, qualifying: Math.round((players * qualified) / evaluated) };
}
