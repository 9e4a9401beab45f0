"use client";

import Link from "next/link";
import type { TimelineEntry } from "../../server/game/players/contract.dashboard.ts";
import { useWhere } from "../client/where.tsx";
import { definitionPath } from "../definitions/kinds/index.ts";
import { periodInWords } from "./values.ts";

type Subject = NonNullable<TimelineEntry["of"]>;

/** A prefix for ambiguous sources. */
const PREFIXES: Partial<Record<Subject["kind"], string>> = {
  streaks: "Streak milestone: ",
  leaderboards: "Prize: ",
  marketplaceItems: "Purchase: ",
};

/** The source of points, linked; without the prefix where it was already shown. */
export function Source({ of: { kind, key, name }, period, isBare }: { of: Subject; period: string | null; isBare: boolean }) {
  const { href } = useWhere();
  return (
    <>
      {!isBare && PREFIXES[kind]}
      <Link href={href(definitionPath(kind, key))} prefetch={false} className="rounded font-medium hover:underline">
        {name}
      </Link>
      {period !== null && <span className="text-quiet"> ({periodInWords(period)})</span>}
    </>
  );
}
