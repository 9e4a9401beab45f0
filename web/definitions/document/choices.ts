import type { Problem } from "./pointers.ts";

export const isChosen = (value: unknown): boolean => typeof value === "string" && value !== "";

export const choose = (pointer: string): Problem => ({ pointer, message: "Required." });
