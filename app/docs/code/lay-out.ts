/** As wide as code may be before it is broken into lines. */
const WIDTH = 64;

/** JSON as a person would write it: what fits on a line stands on one. `taken` is what stands before it on its first line. */
export function layOut(value: unknown, indent = "", taken = 0): string {
  const line = onOneLine(value);
  if (taken + line.length <= WIDTH || typeof value !== "object" || value === null || line.length <= 2) return line;
  const inner = `${indent}  `;
  const lineOf = (label: string, member: unknown) => label + layOut(member, inner, label.length);
  const lines = Array.isArray(value)
    ? value.map((member) => lineOf(inner, member))
    : Object.entries(value).map(([name, member]) => lineOf(`${inner}${JSON.stringify(name)}: `, member));
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${onOneLine(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
