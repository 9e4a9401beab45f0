"use client";

import { useMemo } from "react";
import type { Figures } from "./figures.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { KIND_MODULES } from "../kinds/index.ts";
import type { ListedDefinition } from "../kinds/kind-module.ts";
import { useWhere } from "../../client/where.tsx";
import { formatted } from "#server/model/kernel/thousands.ts";
import { exactly } from "../../components/exactly.ts";
import { Tooltip } from "../../components/overlay.tsx";
import { Badge } from "../../components/surface.tsx";
import type { Column } from "../../components/table.tsx";
import { Instant } from "../../components/time.tsx";
import { DefinitionMenu } from "./definition-menu.tsx";
import { type Status, statusOf } from "./status.ts";
import { Thumbnail } from "./thumbnail.tsx";

/** A list's columns: the common ones, around the kind's own. */
export function useColumns(kind: Kind, figures: Figures | null): Column<ListedDefinition>[] {
  const { timeZone, now } = useWhere();
  return useMemo(
    () => [
      {
        id: "name",
        header: "Name",
        sortKey: "name",
        cell: ({ name, key, summary, active, scheduledAt }) => (
          <span className="flex min-w-0 items-center gap-3">
            {"icon" in summary && <Thumbnail image={summary.icon} name={name} />}
            <span className="min-w-0">
              <span className="flex min-w-0 items-center gap-2">
                <span className="truncate">{name}</span>
                <StatusBadge status={statusOf({ active, summary }, now)} />
                {scheduledAt !== null && (
                  <Tooltip content={`Applies ${exactly(scheduledAt, timeZone)}`}>
                    <Badge tone="info" className="relative z-10">
                      Change scheduled
                    </Badge>
                  </Tooltip>
                )}
              </span>
              {key !== name && <span className="block truncate font-mono text-xs font-normal text-faint">{key}</span>}
            </span>
          </span>
        ),
      },
      ...KIND_MODULES[kind].columns,
      ...(figures === null ? [] : [figureColumn(figures)]),
      {
        id: "usedBy",
        header: "Used by",
        sortKey: "usedBy",
        isNumeric: true,
        className: "max-lg:hidden",
        cell: ({ usedBy }) => <span className="text-quiet">{usedBy === 0 ? "–" : formatted(usedBy)}</span>,
      },
      {
        id: "updated",
        header: "Changed",
        sortKey: "updated",
        className: "max-xl:hidden",
        cell: ({ changedAt }) => (
          <span className="relative text-quiet">
            <Instant value={changedAt} />
          </span>
        ),
      },
      {
        id: "menu",
        header: <span className="sr-only">Actions</span>,
        className: "w-10 text-right",
        cell: (row) => <DefinitionMenu kind={kind} definition={row} />,
      },
    ],
    [kind, figures, timeZone, now],
  );
}

const figureColumn = ({ header, of }: Figures): Column<ListedDefinition> => ({
  id: "figure",
  header,
  isNumeric: true,
  cell: (row) => <span className="whitespace-nowrap text-quiet">{of(row)}</span>,
});

const StatusBadge = ({ status }: { status: Status }) =>
  status && <Badge tone={status === "Scheduled" ? "info" : "neutral"}>{status}</Badge>;
