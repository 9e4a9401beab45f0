import Link from "next/link";
import type { ReactNode } from "react";
import { Brand } from "../../components/brand.tsx";
import { ThemeMenu } from "../../components/theme.tsx";
import { SearchButton } from "../search/search-button.tsx";

export const TopBar = ({ children }: { children: ReactNode }) => (
  <header className="sticky top-0 z-20 border-b border-line bg-paper">
    <div className="mx-auto flex h-14 max-w-[96rem] items-center gap-2 px-3 sm:px-6">
      {children}
      <Link href="/docs" className="flex items-center gap-2 rounded-sm px-1 font-semibold text-ink">
        <Brand isMarkOnPhones />
        <span className="hidden font-normal text-quiet sm:inline">Documentation</span>
      </Link>
      <div className="ml-auto flex items-center gap-1">
        <SearchButton />
        <a href="/dashboard" className="rounded-md px-3 py-1.5 font-medium text-quiet hover:bg-raised hover:text-ink">
          Dashboard
        </a>
        <ThemeMenu />
      </div>
    </div>
  </header>
);
