"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { Kind } from "../../server/definitions/contract.ts";
import { KIND_MODULES, namedIn } from "../authoring/kinds/index.ts";
import { orpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import { formatted } from "../../server/kernel/thousands.ts";
import { EnvironmentBadge } from "../_components/environment-badge.tsx";
import { Page } from "../_components/page.tsx";
import { Skeleton } from "../_components/surface.tsx";
import { OpenNotices } from "../_notices/open-notices.tsx";
import { GettingStarted } from "./getting-started.tsx";
import { RecentChanges } from "./recent-changes.tsx";

const SHOWN: Kind[] = ["missions", "streaks", "leaderboards", "marketplaceItems", "segments", "events", "metrics", "attributes"];

/** Where an environment stands: what it defines, whether events come in, what was changed last, and what to do next. */
export function Home() {
  const { scope, environment, projectName } = useWhere();
  const { data: catalogue } = useQuery(orpc.definitions.catalogue.queryOptions({ input: scope }));
  const counts = Object.fromEntries(
    SHOWN.map((kind) => [kind, catalogue && namedIn(catalogue, kind).filter(({ active }) => active).length]),
  ) as Record<Kind, number | undefined>;
  const isLive = environment === "live";
  return (
    <Page
      title={projectName}
      aside={<EnvironmentBadge environment={environment} />}
      description={
        isLive
          ? "What your real players see. Try changes in the Sandbox, then promote them."
          : "Test everything here, with separate players and keys and a clock you can move."
      }
    >
      <div className="flex flex-col gap-4">
        <OpenNotices />
        <GettingStarted events={counts.events} missions={counts.missions} />
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {SHOWN.map((kind) => (
            <KindCard key={kind} kind={kind} count={counts[kind]} />
          ))}
        </div>
        <RecentChanges />
      </div>
    </Page>
  );
}

function KindCard({ kind, count }: { kind: Kind; count: number | undefined }) {
  const { href } = useWhere();
  const { path, many, icon: Icon } = KIND_MODULES[kind];
  return (
    <Link href={href(`/${path}`)} className="group rounded-xl border border-line bg-paper p-3.5 hover:border-line-strong hover:bg-raised">
      <span className="flex items-center gap-2 text-[0.8125rem] text-quiet">
        <Icon className="size-4" aria-hidden />
        <span className="truncate">{many}</span>
      </span>
      <span className="mt-1 block text-xl font-semibold tabular-nums">
        {count === undefined ? <Skeleton className="h-7 w-10" /> : formatted(count)}
      </span>
    </Link>
  );
}
