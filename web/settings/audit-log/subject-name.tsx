import { useWhere } from "../../client/service.tsx";
import { isKind } from "../../definitions/kinds/index.ts";
import type { AuditLogEntry } from "./filter.ts";
import { subjectName } from "./subject.ts";

/** What an entry is about: a key, or a name such as a change request's title. */
export function SubjectName({ entry: { subjectKind, subjectKey } }: { entry: AuditLogEntry }) {
  const { timeZone } = useWhere();
  if (subjectKey === null) return null;
  const name = subjectName(subjectKind, subjectKey, timeZone);
  return isKind(subjectKind) ? <code className="font-mono text-xs">{name}</code> : <span className="font-medium">{name}</span>;
}
