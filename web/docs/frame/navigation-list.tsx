"use client";

import { clsx } from "clsx";
import { Menu as MenuIcon, X } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useEffect, useId, useRef } from "react";
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

/** The navigation on narrow screens. It also opens without JavaScript. */
export function NavigationMenu({ chapters }: { chapters: readonly Chapter[] }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const pathname = usePathname();
  useEffect(() => menu.current?.removeAttribute("open"), [pathname]);
  return (
    <details
      ref={menu}
      className="group lg:hidden"
      onKeyDown={({ key }) => {
        if (key === "Escape") menu.current?.removeAttribute("open");
      }}
    >
      <summary
        aria-label="Pages of the documentation"
        className="grid size-9 cursor-pointer list-none place-items-center rounded-md text-quiet hover:bg-raised hover:text-ink [&::-webkit-details-marker]:hidden"
      >
        <MenuIcon aria-hidden className="size-5 group-open:hidden" />
        <X aria-hidden className="hidden size-5 group-open:block" />
      </summary>
      <div className="absolute inset-x-0 top-14 max-h-[calc(100dvh-3.5rem)] overflow-y-auto border-b border-line bg-paper p-4 shadow-overlay">
        <NavigationList chapters={chapters} />
      </div>
    </details>
  );
}
