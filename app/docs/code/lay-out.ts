/** As wide as code may be before it is broken into lines. */
const WIDTH = 68;

/** JSON as a person would write it: what fits on a line stands on one. */
export function layOut(value: unknown, indent = "", room = WIDTH): string {
  const line = onOneLine(value);
  if (indent.length + line.length <= room || typeof value !== "object" || value === null) return line;
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((member) => inner + layOut(member, inner, room))
    : Object.entries(value).map(([name, member]) => {
        const label = `${inner}${JSON.stringify(name)}: `;
        return label + layOut(member, inner, room - (label.length - inner.length));
      });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${members.join(",\n")}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${onOneLine(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
