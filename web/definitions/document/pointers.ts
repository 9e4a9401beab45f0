import type { Problem as Located } from "../../components/problems.tsx";

export interface Problem extends Located {
  /** Whether the message already names its subject. */
  namesItself?: boolean;
}

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
