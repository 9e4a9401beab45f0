"use client";

import { Menu as MenuIcon, X } from "lucide-react";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import type { Chapter } from "../navigation.ts";
import { NavigationList } from "./navigation-list.tsx";

/** The navigation on narrow screens. It also opens without JavaScript. */
export function Menu({ chapters }: { chapters: readonly Chapter[] }) {
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
