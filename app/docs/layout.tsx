import type { Metadata } from "next";
import type { ReactNode } from "react";
import "./docs.css";
import { NavigationMenu, NavigationList } from "../../web/docs/frame/navigation-list.tsx";
import { TopBar } from "../../web/docs/frame/top-bar.tsx";
import { CHAPTERS } from "../../web/docs/navigation.ts";

export const metadata: Metadata = {
  title: { default: "Documentation", template: "%s · Documentation" },
  description: "Guides and reference for developers: send events, read missions, run a shop, receive webhooks.",
};

export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <a
        href="#content"
        className="absolute -top-16 left-3 z-30 rounded-md bg-accent-fill px-3 py-2 font-medium text-on-accent focus:top-2.5"
      >
        Skip to the content
      </a>
      <TopBar>
        <NavigationMenu chapters={CHAPTERS} />
      </TopBar>
      <div className="mx-auto flex max-w-[96rem]">
        <aside className="sticky top-14 hidden h-[calc(100dvh-3.5rem)] w-64 shrink-0 overflow-y-auto border-r border-line px-4 py-6 lg:block">
          <NavigationList chapters={CHAPTERS} />
        </aside>
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 px-4 pt-8 pb-20 outline-none sm:px-8 lg:px-12 lg:pt-10">
          {children}
        </main>
      </div>
    </>
  );
}
