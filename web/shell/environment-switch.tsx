"use client";

import Link from "next/link";
import { usePathname, useSearchParams } from "next/navigation";
import { cx } from "../components/classes.ts";
import type { EnvironmentKind } from "../../server/model/kernel/environment.ts";
import { sameScreen } from "./same-screen.ts";

const KINDS: { kind: EnvironmentKind; label: string; current: string }[] = [
  { kind: "sandbox", label: "Sandbox", current: "bg-sandbox-soft text-sandbox" },
  { kind: "live", label: "Live", current: "bg-live-rail text-on-live" },
];

/** The same screen in the other environment (`sameScreen`). */
export function EnvironmentSwitch({ project, environment }: { project: string; environment: EnvironmentKind }) {
  const [, screen = ""] = usePathname().split(`/dashboard/${project}/${environment}/`);
  const there = sameScreen(screen, useSearchParams());
  return (
    <nav aria-label="Environment" className="grid grid-cols-2 gap-0.5 rounded-lg border border-line bg-paper p-0.5">
      {KINDS.map(({ kind, label, current }) => (
        <Link
          key={kind}
          href={`/dashboard/${project}/${kind}${there}`}
          aria-current={kind === environment ? "true" : undefined}
          className={cx(
            "flex h-6.5 items-center justify-center gap-1.5 rounded-md text-xs font-medium",
            kind === environment ? current : "text-quiet hover:bg-veil hover:text-ink",
          )}
        >
          <span className="size-1.5 rounded-full bg-current" aria-hidden />
          {label}
        </Link>
      ))}
    </nav>
  );
}
