"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { withThousands } from "#server/model/kernel/thousands.ts";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Notice } from "../../components/surface.tsx";

const LOOK_EVERY_MS = 30_000;

/** Warns about events of players whose app has never read their missions, the most common mistake. Hidden otherwise. */
export function UnenteredNotice() {
  const { scope } = useWhere();
  const { data } = useQuery({ ...orpc.events.unentered.queryOptions({ input: scope }), refetchInterval: LOOK_EVERY_MS });
  if (data === undefined || data.events === 0) return null;
  const { events, players, sample } = data;
  return (
    <Notice
      tone="warn"
      title={`${counted(events, "event")} today came from ${counted(players, "player")} who ${players === 1 ? "has" : "have"} never read their missions`}
    >
      They are in no mission, so nothing counts towards one. Read a player&rsquo;s missions before sending their events:{" "}
      <Link href="/docs/guides/first-event#enter" className="rounded font-medium text-accent hover:underline">
        how to enter players
      </Link>
      . For example: {sample.join(", ")}.
    </Notice>
  );
}

const counted = (count: number, one: string): string => `${withThousands(String(count))} ${one}${count === 1 ? "" : "s"}`;
