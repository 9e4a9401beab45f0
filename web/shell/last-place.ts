import type { EnvironmentKind } from "../../server/model/kernel/environment.ts";

/** The cookie that says where in the dashboard its browser was last. */
export const LAST_PLACE = "last-place";

export interface LastPlace {
  project: string;
  environment: EnvironmentKind;
}

/** What the cookie says; whoever reads it has to see for themselves whether the project is theirs. */
export function lastPlaceFrom(text: string | undefined): LastPlace | null {
  const [project = "", kind] = text?.split("/") ?? [];
  return project === "" || (kind !== "sandbox" && kind !== "live") ? null : { project, environment: kind };
}

export function rememberPlace({ project, environment }: LastPlace): void {
  document.cookie = `${LAST_PLACE}=${project}/${environment}; path=/dashboard; max-age=31536000; samesite=lax`;
}
