/** No vowels, so that no code is a word, and no letters that look alike. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;

/**
 * The code of a request for a token, shown by the program that asks and by the page that approves: equal codes are the same request.
 * `hash`: the token's SHA-256 in hex. Such as "BCDF-GHJK".
 */
export function pairingCode(hash: string): string {
  const letters = Array.from({ length: LENGTH }, (_, at) => LETTERS[Number.parseInt(hash.slice(at * 4, at * 4 + 4), 16) % LETTERS.length]);
  return `${letters.slice(0, LENGTH / 2).join("")}-${letters.slice(LENGTH / 2).join("")}`;
}
