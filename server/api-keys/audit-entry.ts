import type { Environment } from "../kernel/environment.ts";
import type { Actor } from "../kernel/roles.ts";

export type Place = Pick<Environment, "id" | "kind" | "projectId">;

export const entryOf = ({ id, projectId }: Place, actor: Actor, action: string, { name, hint }: { name: string; hint: string }) => ({
  projectId,
  environmentId: id,
  actor,
  action,
  subjectKind: "apiKey",
  subjectKey: name,
  difference: [{ type: action === "create" ? "CREATE" : "REMOVE", path: ["key"], [action === "create" ? "value" : "oldValue"]: hint }],
});
