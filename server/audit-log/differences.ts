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
  const places: unknown[] = Array.isArray(difference) ? difference : [difference];
  return places.map((place) => {
    if (!isJsonObject(place) || !Array.isArray(place.path)) return { path: "", before: null, after: writeJson(place) };
    return {
      path: place.path.map(String).join(" / "),
      before: textOf(place, "oldValue") ?? textOf(place, "before"),
      after: textOf(place, "value") ?? textOf(place, "after"),
    };
  });
}

const textOf = (place: Record<string, unknown>, member: string): string | null =>
  place[member] === undefined || place[member] === null ? null : writeJson(place[member]);
