import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { PageLink } from "./page-link.tsx";

export const TAB_ROW = "relative mb-5 flex gap-1 overflow-x-auto border-b border-line";
/** The classes of a tab, for custom links. */
export const TAB =
  "relative -mb-px flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2.5 text-sm font-medium whitespace-nowrap text-quiet hover:text-ink data-active:border-accent data-active:text-ink";

const pathOf = (href: string): string => href.split("?", 1)[0]!;

/** Tabs, each a link with its own address. */
export function LinkTabs({
  items,
  label = "Sections",
}: {
  items: { label: ReactNode; href: string; shortcut?: string | undefined }[];
  label?: string;
}) {
  const path = usePathname();
  const current = items
    .filter(({ href }) => path === pathOf(href) || path.startsWith(`${pathOf(href)}/`))
    .sort((a, b) => pathOf(b.href).length - pathOf(a.href).length)[0];
  const shown = useRef<HTMLAnchorElement>(null);
  // On a phone the active tab may be scrolled out of view.
  useEffect(() => {
    // Braces, because newer browsers return a promise, which React would take for a cleanup function.
    void shown.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [path]);
  return (
    <nav aria-label={label} className={TAB_ROW}>
      {items.map((item) => (
        <PageLink
          key={pathOf(item.href)}
          href={item.href}
          ref={item === current ? shown : undefined}
          data-active={item === current ? "" : undefined}
          aria-keyshortcuts={item.shortcut}
          aria-current={item === current ? "page" : undefined}
          className={TAB}
        >
          {item.label}
        </PageLink>
      ))}
    </nav>
  );
}
