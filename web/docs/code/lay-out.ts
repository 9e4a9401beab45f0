const WIDTH = 64;

/** How a language writes values. */
export interface Notation {
  list: readonly [open: string, close: string];
  /** The delimiters; `within` is the padding of one-line objects. */
  map: readonly [open: string, close: string];
  within: string;
  emptyMap: string;
  /** A member's name with what follows it. */
  name(name: string): string;
  text(text: string): string;
  nothing: string;
  yes: string;
  no: string;
  /** After the last of several lines. */
  last: string;
}

export const JSON_NOTATION: Notation = {
  list: ["[", "]"],
  map: ["{", "}"],
  within: " ",
  emptyMap: "{}",
  name: (name) => `${JSON.stringify(name)}: `,
  text: (text) => JSON.stringify(text),
  nothing: "null",
  yes: "true",
  no: "false",
  last: "",
};

/** Pretty-prints a value: on one line where it fits. `taken` is the width used before it on its first line. */
export function layOut(value: unknown, notation: Notation = JSON_NOTATION, indent = "", taken = 0): string {
  const line = onOneLine(value, notation);
  if (taken + line.length <= WIDTH || typeof value !== "object" || value === null || Object.keys(value).length === 0) return line;
  const inner = `${indent}  `;
  const lineOf = (label: string, member: unknown) => label + layOut(member, notation, inner, label.length);
  const lines = Array.isArray(value)
    ? value.map((member) => lineOf(inner, member))
    : Object.entries(value).map(([name, member]) => lineOf(inner + notation.name(name), member));
  const [open, close] = Array.isArray(value) ? notation.list : notation.map;
  return `${open}\n${lines.join(",\n")}${notation.last}\n${indent}${close}`;
}

function onOneLine(value: unknown, notation: Notation): string {
  const { list, map, within, emptyMap, name, text, nothing, yes, no } = notation;
  if (Array.isArray(value)) return `${list[0]}${value.map((member) => onOneLine(member, notation)).join(", ")}${list[1]}`;
  if (typeof value === "string") return text(value);
  if (typeof value === "boolean") return value ? yes : no;
  if (typeof value !== "object") return JSON.stringify(value);
  if (value === null) return nothing;
  const members = Object.entries(value).map(([key, member]) => name(key) + onOneLine(member, notation));
  return members.length === 0 ? emptyMap : `${map[0]}${within}${members.join(", ")}${within}${map[1]}`;
}
