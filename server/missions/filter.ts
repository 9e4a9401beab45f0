import type { Filter } from "../definitions/compiled.ts";
import { holds } from "../kernel/operators.ts";
import { type Properties, propertyOf } from "../kernel/values.ts";

/** Whether an event's properties pass a `where` (definitions.md, Filter). A property the event lacks has no value. */
export function passes(filter: Filter | null, properties: Properties): boolean {
  if (filter === null) return true;
  if ("all" in filter) return filter.all.every((one) => passes(one, properties));
  if ("any" in filter) return filter.any.some((one) => passes(one, properties));
  if ("not" in filter) return !passes(filter.not, properties);
  return holds(propertyOf(properties, filter.property), filter.operator, filter.value);
}
