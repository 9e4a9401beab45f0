import { writeJson } from "../kernel/json.ts";
import { isJsonObject } from "../kernel/values.ts";

/** One changed path, with its values as JSON text; null for an absent one. */
export interface ShownChange {
  /** "rewards / 0 / value" */
  path: string;
  before: string | null;
  after: string | null;
}

/**
 * The `difference` of an entry for display: microdiff's list (`path`, `oldValue`, `value`) or one with `before` and `after`. Any other
 * form is shown as it is.
 */
export function changesOf(difference: unknown): ShownChange[] {
  if (difference === null || difference === undefined) return [];
  const fields: unknown[] = Array.isArray(difference) ? difference : [difference];
  return fields.map((field) => {
    if (!isJsonObject(field) || !Array.isArray(field.path)) return { path: "", before: null, after: writeJson(field) };
    return {
      path: field.path.map(String).join(" / "),
      before: textOf(field, "oldValue") ?? textOf(field, "before"),
      after: textOf(field, "value") ?? textOf(field, "after"),
    };
  });
}

const textOf = (field: Record<string, unknown>, member: string): string | null =>
  field[member] === undefined || field[member] === null ? null : writeJson(field[member]);
