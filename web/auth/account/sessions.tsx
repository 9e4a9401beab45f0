"use client";

import { Laptop, Smartphone } from "lucide-react";
import { useEffect, useState } from "react";
import { useAttempt } from "../../client/attempt.ts";
import { orpc, rpc } from "../../client/rpc.ts";
import type { DashboardClient } from "#server/api/dashboard.ts";
import { Button } from "../../components/button.tsx";
import { Badge, Card } from "../../components/surface.tsx";
import { Instant } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import { browserInWords, isPhone } from "./browsers.ts";

type Session = Awaited<ReturnType<DashboardClient["account"]["read"]>>["sessions"][number];

/** The user's active sessions. */
export function Sessions({ sessions }: { sessions: Session[] }) {
  const attempt = useAttempt(orpc.account.key());
  const toast = useToast();
  const timeZone = useOwnZone();
  const end = (what: () => Promise<unknown>, title: string) =>
    attempt("The change failed", what).then(
      () => toast({ title }),
      () => {},
    );
  return (
    <Card
      title="Sessions"
      description="A session lasts 30 days."
      padded={false}
      actions={
        sessions.length > 1 && (
          <Button size="sm" onClick={() => void end(() => rpc.account.endOtherSessions(), "Signed out everywhere else")}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <ul className="divide-y divide-line" aria-label="Sessions">
        {sessions.map(({ id, isCurrent, userAgent, address, lastSeenAt }) => {
          const Icon = isPhone(userAgent) ? Smartphone : Laptop;
          return (
            <li key={id} className="flex items-center gap-3 px-4 py-3">
              <Icon className="size-4 shrink-0 text-quiet" aria-hidden />
              <div className="min-w-0 flex-1">
                <div className="flex items-center gap-2">
                  <span className="truncate font-medium">{browserInWords(userAgent)}</span>
                  {isCurrent && <Badge tone="good">This browser</Badge>}
                </div>
                <div className="truncate text-xs text-quiet">
                  {address !== null && `${address} · `}
                  seen <Instant value={lastSeenAt} timeZone={timeZone} />
                </div>
              </div>
              {!isCurrent && (
                <Button size="sm" variant="ghost" onClick={() => void end(() => rpc.account.endSession({ id }), "That session has ended")}>
                  End session
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** The browser's zone, since the account belongs to no project. The server does not know it and renders UTC. */
function useOwnZone(): string {
  const [zone, setZone] = useState("UTC");
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC"), []);
  return zone;
}
