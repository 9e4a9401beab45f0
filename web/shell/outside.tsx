import { ArrowLeft } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { Brand } from "../components/brand.tsx";

/** The frame of screens outside any project, with a link back. */
export const Outside = ({ hasProjects, children }: { hasProjects: boolean; children: ReactNode }) => (
  <div className="min-h-dvh">
    <header className="sticky top-0 z-20 flex h-13 items-center gap-3 border-b border-line bg-paper px-4 sm:px-6">
      <Brand className="min-w-0 flex-1 text-[0.8125rem] font-medium" />
      {hasProjects && (
        <Link href="/dashboard" className="flex items-center gap-1.5 rounded text-[0.8125rem] text-quiet hover:text-ink">
          <ArrowLeft className="size-3.5" /> Back to the dashboard
        </Link>
      )}
    </header>
    <main id="content">{children}</main>
  </div>
);
