import type { AuditEntry } from "../audit-log/entry.ts";
import type { Role } from "../kernel/roles.ts";
import type { TokenEnvironment } from "./token.ts";

/** The common part of every entry about a token. */
export const tokenEntry = (projectId: string, actor: AuditEntry["actor"], name: string) => ({
  projectId,
  environmentId: null,
  actor,
  subjectKind: "token",
  subjectKey: name,
});

/** The difference that a new token makes. Never the token itself. */
export const tokenDifference = ({
  hint,
  role,
  environment,
  expiresAt,
}: {
  hint: string;
  role: Role;
  environment: TokenEnvironment | null;
  expiresAt: string;
}) =>
  Object.entries({ token: hint, role, environment, expiresAt }).flatMap(([field, value]) =>
    value === null ? [] : [{ type: "CREATE", path: [field], value }],
  );
