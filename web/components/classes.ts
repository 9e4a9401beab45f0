import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

/** Joins class names; of two conflicting ones the later wins. */
export const cx = (...names: ClassValue[]): string => twMerge(clsx(names));

export const CONTROL =
  "h-8 w-full min-w-0 rounded-lg border border-line-strong bg-paper px-2.5 text-sm text-ink shadow-control outline-none transition-[border-color,box-shadow] focus-visible:border-accent focus-visible:ring-2 focus-visible:ring-accent/25 focus-visible:outline-none disabled:cursor-not-allowed disabled:border-dashed disabled:bg-sunken disabled:text-quiet disabled:shadow-none [&:is(input,textarea):read-only]:border-dashed [&:is(input,textarea):read-only]:bg-sunken data-invalid:border-bad max-sm:h-9 max-sm:text-base";

/** Classes of a popup list and of its options. */
export const POPUP =
  "z-50 max-w-[var(--available-width)] rounded-lg border border-line bg-overlay p-1 text-ink shadow-overlay outline-none transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0";
export const OPTION =
  "flex w-full cursor-default items-center gap-2 rounded-md px-2 py-1.5 text-sm outline-none select-none data-disabled:opacity-50 data-highlighted:bg-veil [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-quiet";
