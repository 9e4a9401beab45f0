// Counts the arrows up within server/, against the order `app → api → <domain> → engine → rules → kernel`.
import rooms from "./rooms.cjs";

const oneOf = (names) => `(?:${names.join("|")})`;
const DOMAIN_FILE = new RegExp(`^server/(${oneOf(rooms.DOMAINS)})/(.+)$`);
const ROOM_BELOW = /^server\/(engine|rules|kernel)\//;
// The files that a domain offers to others: its contract, its service, and where verbs are files, those.
const OFFERED = /^(contract|service)[./]/;
const VERB = new RegExp(`^${oneOf(rooms.VERBS)}[.-]`);
const TEST = /([.]test[.]ts|\/(examples|testing)[.]ts)$/;

/**
 * Whether an import is an arrow up. Two kinds are:
 * - a domain imports a file of another domain which that one does not offer: a rule or a store. What two domains share belongs below
 *   both of them, in `rules` or in the kernel; what only one of them has is asked for by its service.
 * - `engine`, `rules` or the kernel imports any file of a domain but a contract.
 * Tests, and what they share, may reach anywhere.
 */
export function isArrowUp(from, to) {
  const target = DOMAIN_FILE.exec(to);
  if (target === null || TEST.test(from)) return false;
  const [, domain, file] = target;
  if (ROOM_BELOW.test(from)) return !file.startsWith("contract.");
  const source = DOMAIN_FILE.exec(from);
  if (source === null || source[1] === domain) return false;
  return !OFFERED.test(file) && !(rooms.VERB_ROOMS.includes(domain) && VERB.test(file));
}

/** The arrows up among modules as dependency-cruiser lists them, each pair of files once. */
export const arrowsUp = (modules) =>
  modules.flatMap(({ source, dependencies }) =>
    [...new Set(dependencies.map(({ resolved }) => resolved))].filter((to) => isArrowUp(source, to)).map((to) => `${source} → ${to}`),
  );
