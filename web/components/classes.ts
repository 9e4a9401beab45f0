import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

/** Class names in one text; of two that say the same thing, the later holds. */
export const cx = (...names: ClassValue[]): string => twMerge(clsx(names));
