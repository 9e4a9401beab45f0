"use client";

import Link from "next/link";
import { useState } from "react";
import { formatted } from "#server/model/kernel/thousands.ts";
import { definitionPath } from "../kinds/index.ts";
import { useWhere } from "../../client/where.tsx";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/surface.tsx";
import { byKind, nameOf, type Same } from "./chosen.ts";
import { kindTitle } from "./names.ts";

const AT_ONCE = 100;

/** Definitions that are the same in both environments. */
export function SameList({ same }: { same: readonly Same[] }) {
  const { href } = useWhere();
  const [isWhole, setWhole] = useState(false);
  if (same.length === 0) return <EmptyState title="No results">Choose other filters, or search for something else.</EmptyState>;
  const shown = isWhole ? same : same.slice(0, AT_ONCE);
  return (
    <>
      {byKind(shown).map(([kind, ones]) => (
        <section key={kind} aria-label={kindTitle(kind)}>
          <h2 className="border-b border-line bg-raised px-4 py-2 text-[0.8125rem] font-medium text-quiet">{kindTitle(kind)}</h2>
          <ul className="divide-y divide-line border-b border-line">
            {ones.map((one) => (
              <li key={nameOf(one)} className="flex flex-wrap items-center gap-x-2 px-4 py-2">
                <Link
                  href={href(definitionPath(kind, one.key))}
                  prefetch={false}
                  className="rounded text-sm font-medium wrap-anywhere hover:underline"
                >
                  {one.name}
                </Link>
                {one.name !== one.key && <code className="font-mono text-xs text-quiet wrap-anywhere">{one.key}</code>}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {shown.length < same.length && (
        <div className="px-4 py-2.5">
          <Button size="sm" onClick={() => setWhole(true)}>
            Show all {formatted(same.length)}
          </Button>
        </div>
      )}
    </>
  );
}
