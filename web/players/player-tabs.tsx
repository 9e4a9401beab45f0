"use client";

import { usePathname, useSearchParams } from "next/navigation";
import type { MouseEvent } from "react";
import { TAB, TAB_ROW } from "../components/tabs.tsx";
import { type Tab, tabFrom, TABS } from "./tab.ts";

/** The tab that the address names. */
export const useTab = (): Tab => tabFrom(useSearchParams().get("tab"));

/** Tab links. Only the query of the address changes, so that switching is immediate. */
export function PlayerTabs({ current }: { current: Tab }) {
  const path = usePathname();
  const go = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.pushState(null, "", event.currentTarget.href);
  };
  return (
    <nav aria-label="About this player" className={TAB_ROW}>
      {TABS.map(({ value, label }) => (
        <a
          key={value}
          href={value === "timeline" ? path : `${path}?tab=${value}`}
          onClick={go}
          data-active={value === current ? "" : undefined}
          aria-current={value === current ? "page" : undefined}
          className={TAB}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}
