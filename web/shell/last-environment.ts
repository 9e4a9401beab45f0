import type { Scope } from "../client/address.ts";

/** The cookie with the browser's last place in the dashboard. */
export const LAST_PLACE = "last-place";

/** The cookie's content; callers must check that the project is the user's. */
export function lastEnvironmentFrom(text: string | undefined): Scope | null {
  const [project = "", kind] = text?.split("/") ?? [];
  return project === "" || (kind !== "sandbox" && kind !== "live") ? null : { project, environment: kind };
}

export function rememberEnvironment({ project, environment }: Scope): void {
  document.cookie = `${LAST_PLACE}=${project}/${environment}; path=/dashboard; max-age=31536000; samesite=lax`;
}

/** Filters of a report that do not depend on the environment; its segment or board may be missing in the other one. */
const KEPT = ["range", "from", "to", "by"];

/**
 * The closest screen in the other environment: "/missions" for "missions/coffee_lover", since the mission may not exist there. A report
 * stays, with its range. Change requests are of Live alone: in the Sandbox none would ever wait.
 */
export function sameScreen(screen: string, query: { get(name: string): string | null }): string {
  const [list, report] = screen.split("/");
  if (!list || list === "requests") return "";
  if (list !== "analytics" || !report) return `/${list}`;
  const kept = new URLSearchParams(KEPT.flatMap((name) => (query.get(name) === null ? [] : [[name, query.get(name)!]])));
  return `/analytics/${report}${kept.size === 0 ? "" : `?${kept}`}`;
}
