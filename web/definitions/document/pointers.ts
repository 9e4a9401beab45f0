/** A path in a definition: its members from the root. */
export type Path = readonly (string | number)[];

/** A problem in a definition; `pointer` is a JSON pointer (RFC 6901), "" for the root. */
export interface Problem {
  pointer: string;
  message: string;
  /** Whether the message already names its subject. */
  namesItself?: boolean;
}

const escaped = (name: string | number): string => String(name).replaceAll("~", "~0").replaceAll("/", "~1");

/** "/objectives/0/target" */
export const pointerTo = (path: Path): string => path.map((name) => `/${escaped(name)}`).join("");

/** The members of a pointer; list indices are text too. */
export const pathOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Whether a pointer equals `place` or is inside it. */
export const isWithin = (pointer: string, place: string): boolean => pointer === place || pointer.startsWith(`${place}/`);

/** The parent path; null for the root. */
export const around = (pointer: string): string | null => (pointer === "" ? null : pointer.slice(0, pointer.lastIndexOf("/")));

/** The value at a path; undefined where there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, name) => (typeof inner === "object" && inner !== null ? (inner as Record<string | number, unknown>)[name] : undefined),
    value,
  );
}
