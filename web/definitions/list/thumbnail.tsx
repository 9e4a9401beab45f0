"use client";

import { type ReactNode, useState } from "react";

/** A definition's picture, by URL or upload id. Without one, or if it fails to load: `fallback`, by default the name's initial. */
export function Thumbnail({ image, name, fallback }: { image: unknown; name: string; fallback?: ReactNode }) {
  const source = typeof image !== "string" ? null : /^(https?:|\/)/.test(image) ? image : `/images/${image}`;
  const [broken, setBroken] = useState<string | null>(null);
  const isShown = source !== null && broken !== source;
  return (
    <span
      aria-hidden
      className="flex size-8 shrink-0 items-center justify-center overflow-hidden rounded-lg border border-line bg-raised text-xs font-medium text-quiet"
    >
      {isShown ? (
        <img
          src={source}
          alt=""
          loading="lazy"
          // It may have failed before hydration.
          ref={(element) => void (element?.complete && element.naturalWidth === 0 && setBroken(source))}
          onError={() => setBroken(source)}
          className="size-full object-cover"
        />
      ) : (
        (fallback ?? [...name][0]?.toUpperCase())
      )}
    </span>
  );
}
