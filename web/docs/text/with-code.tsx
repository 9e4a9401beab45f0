import type { ReactNode } from "react";

/** Text as the contracts write it: `code` and **strong** words. */
export const withCode = (text: string): ReactNode[] =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece, index) => {
    if (piece.startsWith("`")) return <code key={index}>{piece.slice(1, -1)}</code>;
    if (piece.startsWith("**")) return <strong key={index}>{piece.slice(2, -2)}</strong>;
    return piece;
  });
