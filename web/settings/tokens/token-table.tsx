"use client";

import type { ReactNode } from "react";
import type { DashboardClient } from "#server/api/dashboard.ts";
import { EnvironmentBadge } from "../../components/environment-badge.tsx";
import { Button } from "../../components/button.tsx";
import { Badge } from "../../components/surface.tsx";
import { instantColumn } from "../../components/instant-column.tsx";
import { type Column, DataTable } from "../../components/table.tsx";

export type Token = Awaited<ReturnType<DashboardClient["tokens"]["list"]>>["tokens"][number];

interface TokenTableProps {
  tokens: Token[];
  /** Whether the list includes other users' tokens. */
  showsMakers: boolean;
  onRevoke(token: Token): void;
  empty: ReactNode;
}

export function TokenTable({ tokens, showsMakers, onRevoke, empty }: TokenTableProps) {
  const maker: Column<Token> = {
    id: "maker",
    header: "Created by",
    className: "max-md:hidden",
    cell: ({ maker, isYours }) => (isYours ? <Badge tone="info">You</Badge> : <span className="wrap-anywhere">{maker}</span>),
  };
  const columns: Column<Token>[] = [
    {
      id: "name",
      header: "Name",
      cell: ({ name, state }) => (
        <span className="flex items-center gap-2">
          <span className="truncate font-medium">{name}</span>
          {state !== "InForce" && <Badge tone={state === "Revoked" ? "bad" : "warn"}>{state}</Badge>}
        </span>
      ),
    },
    { id: "hint", header: "Token", cell: ({ hint }) => <code className="font-mono text-xs whitespace-nowrap">{hint}</code> },
    ...(showsMakers ? [maker] : []),
    {
      id: "bounds",
      header: "Access",
      className: "max-sm:hidden",
      cell: ({ role, environment }) => (
        <span className="flex items-center gap-1.5">
          <Badge>{role}</Badge>
          {environment === "tests" && <Badge tone="info">Test projects</Badge>}
          {environment !== null && environment !== "tests" && <EnvironmentBadge environment={environment} />}
        </span>
      ),
    },
    instantColumn("Last used", ({ lastUsedAt }) => lastUsedAt, { className: "max-sm:hidden", none: "Never" }),
    instantColumn("Expires", ({ expiresAt }) => expiresAt, { className: "max-md:hidden" }),
    {
      id: "revoke",
      header: <span className="sr-only">Revoke</span>,
      // Text for screen readers must stay inside the table.
      className: "relative text-right",
      cell: (token) =>
        token.state === "InForce" && (
          <Button size="sm" aria-label={`Revoke ${token.name}`} onClick={() => onRevoke(token)}>
            Revoke
          </Button>
        ),
    },
  ];
  return <DataTable label="Tokens" columns={columns} rows={tokens} rowKey={({ id }) => id} empty={empty} />;
}
