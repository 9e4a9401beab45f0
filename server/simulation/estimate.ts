/** How many hexadecimal digits of an id tell how far through all keys it is. */
const DIGITS = 12;

/**
 * How many players there are and how many qualify, where the first ones by key were counted up to that of `lastId`. Keys are
 * hashes and so lie evenly: whoever came as far as a tenth of them has seen a tenth of the players.
 */
export function estimate(evaluated: number, qualified: number, lastId: string | null): { players: number; qualifying: number } {
  if (lastId === null || evaluated === 0) return { players: 0, qualifying: 0 };
  const seen = (Number.parseInt(lastId.replaceAll("-", "").slice(0, DIGITS), 16) + 1) / 16 ** DIGITS;
  const players = Math.max(evaluated, Math.round(evaluated / seen));
  return { players, qualifying: Math.round((players * qualified) / evaluated) };
}
