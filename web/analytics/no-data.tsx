"use client";

import { ChartColumn } from "lucide-react";
import type { ReactNode } from "react";
import { useWhere } from "../client/where.tsx";
import { LinkButton } from "../components/button.tsx";
import { Card, EmptyState } from "../components/surface.tsx";

interface NoDataProps {
  title: string;
  /** How to send the first figures. */
  children: ReactNode;
  action?: { label: string; path: string };
}

/** Empty state of a report. */
export function NoData({ title, children, action = { label: "Send events", path: "/developers/quickstart" } }: NoDataProps) {
  const { href } = useWhere();
  return (
    <Card padded={false}>
      <EmptyState
        icon={<ChartColumn aria-hidden />}
        title={title}
        action={<LinkButton href={href(action.path)}>{action.label}</LinkButton>}
      >
        {children}
      </EmptyState>
    </Card>
  );
}

/** Empty state of a definition's report. */
export const NoFigures = () => (
  <Card padded={false}>
    <EmptyState icon={<ChartColumn aria-hidden />} title="No results yet">
      They appear with the first players.
    </EmptyState>
  </Card>
);
