"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown } from "lucide-react";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { Button } from "../components/button.tsx";
import { Menu } from "../components/overlay.tsx";
import { segmentsQuery } from "./report-query.ts";
import { useReportView } from "./report-view.tsx";

/** Segment filter of a report. Hidden without segments. */
export function SegmentChoice() {
  const { scope } = useWhere();
  const { view, show } = useReportView();
  const segments = useQuery(segmentsQuery(orpc, scope)).data?.rows ?? [];
  if (segments.length === 0 && view.segment === null) return null;
  const name = view.segment === null ? "All players" : (segments.find(({ key }) => key === view.segment)?.name ?? view.segment);
  return (
    <Menu
      align="start"
      trigger={
        <Button aria-label={`Segment: ${name}`} className="max-w-full">
          <span className="truncate">{name}</span>
          <ChevronsUpDown aria-hidden />
        </Button>
      }
      items={[{ key: null, name: "All players" }, ...segments].map((segment) => ({
        label: segment.name,
        isChosen: segment.key === view.segment,
        onSelect: () => show({ segment: segment.key }),
      }))}
    />
  );
}
