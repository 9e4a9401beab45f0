import type { Environment } from "../kernel/environment.ts";
import type { Actor } from "../kernel/roles.ts";

export type KeyScope = Pick<Environment, "id" | "kind" | "projectId">;

/** The entry of a created or revoked key. It has the hint, never the key. */
export const keyEntry = ({ id, projectId }: KeyScope, actor: Actor, action: string, { name, hint }: { name: string; hint: string }) => ({
  projectId,
  environmentId: id,
  actor,
  action,
  subjectKind: "apiKey",
  subjectKey: name,
  difference: [{ type: action === "create" ? "CREATE" : "REMOVE", path: ["key"], [action === "create" ? "value" : "oldValue"]: hint }],
});
