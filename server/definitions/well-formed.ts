import { Decimal } from "../kernel/decimal.ts";
import { hasBadText } from "../kernel/json.ts";
import type { Finding, Path } from "./problems.ts";

/** How deep a file may be nested: far beyond what anybody reads, and shallow enough for whatever walks it. */
const DEEPEST = 64;

/** Whether a finding says that the shapes must not walk on. */
export const isTooDeep = ({ path }: Finding): boolean => path.length === DEEPEST;

/** What no shape looks for: text that cannot be stored, members that JavaScript takes for something else, endless nesting. */
export function malformedParts(document: unknown): Finding[] {
  const found: Finding[] = [];
  const walk = (value: unknown, path: Path): void => {
    if (typeof value === "string" && hasBadText(value)) found.push({ path, message: "has a NUL character or a lone surrogate; leave it out" });
    if (typeof value !== "object" || value === null || value instanceof Decimal) return;
    if (path.length >= DEEPEST) {
      found.push({ path, message: `is nested more than ${DEEPEST} levels deep; make it simpler` });
      return;
    }
    for (const [name, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      const place = [...path, name];
      if (typeof name === "string" && hasBadText(name)) found.push({ path: place, message: "the name has a NUL character or a lone surrogate; leave it out" });
      else if (name === "__proto__") found.push({ path: place, message: 'there is no member "__proto__" here; leave it out' });
      walk(inner, place);
    }
  };
  walk(document, []);
  return found;
}
