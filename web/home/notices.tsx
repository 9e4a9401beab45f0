"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { plural } from "../../server/model/kernel/thousands.ts";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { Button, LinkButton } from "../components/button.tsx";
import { Badge, Card } from "../components/surface.tsx";
import { Instant } from "../components/time.tsx";
import { KINDS, type Notice } from "../settings/notices/words.ts";

const SHOWN = 5;

/** Notifications sent to members (by mail where they chose so), resolved or not. */
export function Notices() {
  const { scope, href } = useWhere();
  const { data } = useQuery(orpc.notices.list.queryOptions({ input: scope }));
  const [isAll, setAll] = useState(false);
  if (data === undefined || data.notices.length === 0) return null;
  const shown = isAll ? data.notices : data.notices.slice(0, SHOWN);
  return (
    <Card
      title="Notifications"
      padded={false}
      actions={
        <LinkButton size="sm" variant="ghost" href="/dashboard/account">
          Email notifications
        </LinkButton>
      }
    >
      <ul aria-label="Notifications">
        {shown.map((notice) => (
          <li
            key={notice.id}
            className="flex items-baseline gap-3 border-b border-line px-4 py-2.5 text-[0.8125rem] last:border-b-0 max-sm:flex-col max-sm:gap-1"
          >
            <span className="min-w-0 flex-1 wrap-anywhere">
              <Link href={href(placeOf(notice))} prefetch={false} className="rounded font-medium hover:underline">
                {KINDS.find(({ kind }) => kind === notice.kind)?.label}
              </Link>{" "}
              <span className="text-quiet">{notice.url ?? (notice.count === null ? "" : plural(notice.count, "event"))}</span>
            </span>
            <Badge tone={notice.isOpen ? "bad" : "neutral"}>{notice.isOpen ? "Open" : "Resolved"}</Badge>
            <span className="text-quiet">
              <Instant value={notice.createdAt} />
            </span>
          </li>
        ))}
      </ul>
      {shown.length < data.notices.length && (
        <div className="border-t border-line px-4 py-2">
          <Button size="sm" variant="ghost" onClick={() => setAll(true)}>
            Show all {data.notices.length}
          </Button>
        </div>
      )}
    </Card>
  );
}

const placeOf = ({ endpointId }: Notice): string => (endpointId === null ? "/developers/quarantine" : `/developers/webhooks/${endpointId}`);
