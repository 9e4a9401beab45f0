"use client";

import { UserRound } from "lucide-react";
import { useWhere } from "#web/client/service.tsx";
import { LinkButton } from "#web/components/button.tsx";
import { Page } from "#web/components/page.tsx";
import { Card, EmptyState } from "#web/components/surface.tsx";

/** Shown for unknown external ids, within the environment's frame. */
export default function PlayerNotFound() {
  const { environment, href } = useWhere();
  return (
    <Page title="Player not found" breadcrumbs={[{ label: "Players", href: href("/players") }]}>
      <Card>
        <EmptyState
          icon={<UserRound />}
          title={`${environment === "live" ? "Live" : "The Sandbox"} has never seen this player`}
          action={<LinkButton href={href("/players")}>All players</LinkButton>}
        >
          Sandbox and Live have separate players. IDs are case-sensitive.
        </EmptyState>
      </Card>
    </Page>
  );
}
