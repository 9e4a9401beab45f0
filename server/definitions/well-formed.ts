import { Decimal } from "../kernel/decimal.ts";
import { hasBadText } from "../kernel/json.ts";
import { finding, type Path, type Finding } from "../rules/finding.ts";

/** How deep a file may be nested: far beyond what anybody reads, and shallow enough for whatever walks it. */
const DEEPEST = 64;

/**
 * What no shape looks for: text that cannot be stored, members that JavaScript takes for something else, endless nesting.
 * What is nested too deeply is not safe to walk any further.
 */
export function malformedParts(document: unknown): { findings: Finding[]; isTooDeep: boolean } {
  const findings: Finding[] = [];
  let isTooDeep = false;
  const walk = (value: unknown, path: Path): void => {
    if (typeof value === "string" && hasBadText(value)) findings.push(finding(path, "document.bad_text"));
    if (typeof value !== "object" || value === null || value instanceof Decimal) return;
    if (path.length >= DEEPEST) {
      findings.push(finding(path, "document.too_deep", { most: DEEPEST }));
      isTooDeep = true;
      return;
    }
    for (const [name, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      const place = [...path, name];
      if (typeof name === "string") findings.push(...nameFindings(name, place));
      walk(inner, place);
    }
  };
  walk(document, []);
  return { findings, isTooDeep };
}

function nameFindings(name: string, path: Path): Finding[] {
  if (hasBadText(name)) return [finding(path, "document.bad_name")];
  return name === "__proto__" ? [finding(path, "shape.member_unknown", { name, members: [], suggestion: null })] : [];
}
