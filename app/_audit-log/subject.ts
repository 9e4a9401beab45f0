import type { Kind } from "../../server/definitions/contract.ts";
import { KIND_WORDS } from "../_client/kinds.tsx";
import { exactly } from "../_components/time.tsx";
import type { Entry } from "./filter.ts";

/** How a subject is called: by its key, and by the date of what is known by one. */
export const subjectName = (kind: string, key: string, timeZone: string): string =>
  kind === "pointsValuations" && !Number.isNaN(Date.parse(key)) ? `from ${exactly(key, timeZone)}` : key;

/** Where the definition stands that a change was about; null where there is none to go to. */
export function placeOf(project: string, { environment, subjectKind, subjectKey, action }: Omit<Entry, "changes">): string | null {
  const words = KIND_WORDS[subjectKind as Kind];
  if (words === undefined || environment === null || subjectKey === null || action === "delete") return null;
  return `/dashboard/${project}/${environment}/${words.path}/${encodeURIComponent(subjectKey)}`;
}
