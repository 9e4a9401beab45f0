"use client";

import { Tabs } from "@base-ui/react/tabs";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useOptimistic, useRef, useTransition } from "react";
import { CAPTION, FIGURE, LANGUAGE_COOKIE } from "./shown.ts";

interface LanguageTabsProps {
  /** The title before the tabs: "Request". */
  title: string;
  languages: readonly string[];
  chosen: string;
  /** Beside the tabs. */
  aside: ReactNode;
  children: ReactNode;
}

const YEAR_S = 365 * 24 * 60 * 60;

/** Code with language tabs. A choice applies to all tabs on all pages: the server renders them again. */
export function LanguageTabs({ title, languages, chosen, aside, children }: LanguageTabsProps) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const [shown, setShown] = useOptimistic(chosen);
  const list = useRef<HTMLDivElement>(null);

  // On a phone the active tab may be scrolled out of view. Only the list is scrolled, never the page.
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>("[data-active]");
    if (tab && list.current) list.current.scrollLeft = tab.offsetLeft - list.current.clientWidth / 2 + tab.clientWidth / 2;
  }, [chosen]);

  const choose = (language: string) => {
    document.cookie = `${LANGUAGE_COOKIE}=${encodeURIComponent(language)}; path=/docs; max-age=${YEAR_S}; samesite=lax`;
    startTransition(() => {
      setShown(language);
      router.refresh();
    });
  };

  return (
    <Tabs.Root value={shown} onValueChange={(value) => choose(value as string)} render={<figure data-code={title} className={FIGURE} />}>
      <figcaption className={CAPTION}>
        <span className="font-medium">{title}</span>
        <Tabs.List
          ref={list}
          aria-label={`Language of ${title.toLowerCase()}`}
          className="relative flex h-full min-w-0 flex-1 overflow-x-auto [scrollbar-width:none]"
        >
          {languages.map((language) => (
            <Tabs.Tab
              key={language}
              value={language}
              className="h-full shrink-0 border-b-2 border-transparent px-2 -outline-offset-2 hover:text-ink data-active:border-accent data-active:font-medium data-active:text-ink"
            >
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {aside}
      </figcaption>
      <Tabs.Panel value={shown} aria-busy={isPending || undefined} tabIndex={-1}>
        {children}
      </Tabs.Panel>
    </Tabs.Root>
  );
}
