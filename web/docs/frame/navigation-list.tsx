"use client";

import { clsx } from "clsx";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useId } from "react";
import type { Chapter } from "../navigation.ts";

/** Chapters and pages; the current page is marked. */
export function NavigationList({ chapters }: { chapters: readonly Chapter[] }) {
  const open = usePathname();
  const id = useId();
  return (
    <nav aria-label="Documentation" className="grid gap-6">
      {chapters.map(({ title, entries }) => (
        <div key={title} className="grid gap-1">
          <h2 id={`${id}-${title}`} className="px-2 text-xs font-semibold text-ink">
            {title}
          </h2>
          <ul aria-labelledby={`${id}-${title}`} className="grid gap-px">
            {entries.map((entry) => (
              <li key={entry.href}>
                <Link
                  href={entry.href}
                  prefetch={false}
                  aria-current={entry.href === open ? "page" : undefined}
                  className={clsx(
                    "block rounded-md px-2 py-1.5 text-sm leading-5 transition-colors",
                    entry.href === open ? "bg-accent-soft font-medium text-accent" : "text-quiet hover:bg-raised hover:text-ink",
                  )}
                >
                  {entry.title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
