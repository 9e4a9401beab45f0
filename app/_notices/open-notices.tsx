"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import Link from "next/link";
import { orpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import { Card } from "../_components/surface.tsx";
import { Instant } from "../_components/time.tsx";
import { noticeInWords, placeOf } from "./words.ts";

/** What needs somebody in this environment; nothing where nothing does. */
export function OpenNotices() {
  const { scope, href, timeZone } = useWhere();
  const { data } = useQuery({ ...orpc.notices.list.queryOptions({ input: { ...scope, isOpen: true } }), refetchInterval: 60_000 });
  const notices = data?.notices ?? [];
  if (notices.length === 0) return null;
  return (
    <Card title="Needs attention" padded={false}>
      <ul aria-label="Needs attention" className="divide-y divide-line">
        {notices.map((notice) => (
          <li key={notice.id} className="relative flex items-center gap-3 px-4 py-2.5 hover:bg-raised">
            <CircleAlert className="size-4 shrink-0 text-bad" aria-hidden />
            <Link href={href(placeOf(notice))} className="min-w-0 flex-1 rounded wrap-anywhere after:absolute after:inset-0">
              {noticeInWords(notice)}
            </Link>
            <span className="relative text-xs text-quiet">
              <Instant value={notice.since} timeZone={timeZone} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
