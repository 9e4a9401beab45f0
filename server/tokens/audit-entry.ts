import type { AuditEntry } from "../audit-log/entry.ts";
import type { EnvironmentKind } from "../kernel/environment.ts";
import type { Role } from "../kernel/roles.ts";

export const entryOf = (projectId: string, actor: AuditEntry["actor"], name: string) => ({
  projectId,
  environmentId: null,
  actor,
  subjectKind: "token",
  subjectKey: name,
});

export const madeOf = ({
  hint,
  role,
  environment,
  expiresAt,
}: {
  hint: string;
  role: Role;
  environment: EnvironmentKind | null;
  expiresAt: string;
}) =>
  Object.entries({ token: hint, role, environment, expiresAt }).flatMap(([field, value]) =>
    value === null ? [] : [{ type: "CREATE", path: [field], value }],
  );
