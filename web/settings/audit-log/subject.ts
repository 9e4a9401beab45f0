import { plural } from "#server/model/kernel/thousands.ts";
import { actionWords, changeWords } from "../../client/subjects.ts";
import { ENVIRONMENT_NAMES } from "../../components/environment-badge.tsx";
import { definitionPath, isKind, nameOfKey } from "../../definitions/kinds/index.ts";
import type { AuditLogEntry } from "./filter.ts";

/** A subject's name: its key, or its date for kinds identified by one. */
export const subjectName = (kind: string, key: string, timeZone: string): string => (isKind(kind) ? nameOfKey(kind, key, timeZone) : key);

/** The page of an entry's definition, its history if it was deleted; null if there is none. */
export function subjectHref(
  project: string,
  { environment, subjectKind, subjectKey }: Pick<AuditLogEntry, "environment" | "subjectKind" | "subjectKey">,
): string | null {
  if (!isKind(subjectKind) || environment === null || subjectKey === null) return null;
  return `/dashboard/${project}/${environment}${definitionPath(subjectKind, subjectKey)}`;
}

/** Verb and subject for a sentence: "promoted" and "4 definitions to Live". */
export function doneWords({
  action,
  subjectKind,
  environment,
  parts,
}: Pick<AuditLogEntry, "action" | "subjectKind" | "environment" | "parts">): {
  action: string;
  subject: string;
} {
  if (parts === null) return changeWords(action, subjectKind);
  const count = Object.values(parts).reduce((sum, ones) => sum + ones, 0);
  const where = environment === null ? "" : ` ${action === "promote" ? "to" : "into"} ${ENVIRONMENT_NAMES[environment]}`;
  return { action: actionWords(action), subject: `${plural(count, "definition")}${where}` };
}

/** "3 created, 1 changed" */
export const partsWords = (parts: Record<string, number>): string =>
  Object.entries(parts)
    .map(([action, count]) => `${count} ${actionWords(action)}`)
    .join(", ");
