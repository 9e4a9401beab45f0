/** How the frame of code looks, and its caption. */
export const FIGURE = "my-4 overflow-hidden rounded-lg border border-line bg-raised";
export const CAPTION = "flex h-9 items-center gap-2 border-b border-line pr-1 pl-3.5 text-xs text-quiet";
