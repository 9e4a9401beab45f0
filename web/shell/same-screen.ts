/** What a report shows that does not depend on the environment; the segment or the board that it is about may not be in the other one. */
const KEPT = ["range", "from", "to", "by"];

/**
 * The screen of the other environment that is most like one of this: "/missions" of "missions/coffee_lover", since the mission may not be
 * there. A report stays, with its range.
 */
export function sameScreen(screen: string, query: { get(name: string): string | null }): string {
  const [list, report] = screen.split("/");
  if (!list) return "";
  if (list !== "analytics" || !report) return `/${list}`;
  const kept = new URLSearchParams(KEPT.flatMap((name) => (query.get(name) === null ? [] : [[name, query.get(name)!]])));
  return `/analytics/${report}${kept.size === 0 ? "" : `?${kept}`}`;
}
