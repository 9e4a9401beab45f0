import { definitionPath, isKind, nameOfKey } from "../authoring/kinds/index.ts";
import type { Entry } from "./filter.ts";

/** How a subject is called: by its key, and by the date of what is known by one. */
export const subjectName = (kind: string, key: string, timeZone: string): string => (isKind(kind) ? nameOfKey(kind, key, timeZone) : key);

/** Where the definition stands that a change was about, its history where it was deleted; null where there is none to go to. */
export function placeOf(project: string, { environment, subjectKind, subjectKey }: Omit<Entry, "changes">): string | null {
  if (!isKind(subjectKind) || environment === null || subjectKey === null) return null;
  return `/dashboard/${project}/${environment}${definitionPath(subjectKind, subjectKey)}`;
}
