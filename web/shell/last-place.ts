import type { EnvironmentKind } from "../../server/model/kernel/environment.ts";

/** The cookie with the browser's last place in the dashboard. */
export const LAST_PLACE = "last-place";

export interface LastPlace {
  project: string;
  environment: EnvironmentKind;
}

/** The cookie's content; callers must check that the project is the user's. */
export function lastPlaceFrom(text: string | undefined): LastPlace | null {
  const [project = "", kind] = text?.split("/") ?? [];
  return project === "" || (kind !== "sandbox" && kind !== "live") ? null : { project, environment: kind };
}

export function rememberPlace({ project, environment }: LastPlace): void {
  document.cookie = `${LAST_PLACE}=${project}/${environment}; path=/dashboard; max-age=31536000; samesite=lax`;
}
