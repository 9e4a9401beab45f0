"use client";

import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { DataImport } from "../../server/operations/imports/contract.dashboard.ts";
import { plural } from "../../server/model/kernel/thousands.ts";
import { exportHref } from "../client/export-href.ts";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { buttonClasses } from "../components/button.tsx";
import { DataTable } from "../components/table.tsx";

const SHOWN = 10;

/** The first refused lines with reasons, and a download of all. */
export function RefusedLines({ one: { id, refused } }: { one: DataImport }) {
  const { scope, can } = useWhere();
  const { data } = useQuery(orpc.imports.refused.queryOptions({ input: { ...scope, id, limit: SHOWN } }));
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
        <h3 className="min-w-0 flex-1 text-[0.8125rem] font-medium">{plural(refused, "refused line")}</h3>
        {can("Support") && (
          <a className={buttonClasses({ size: "sm" })} href={exportHref(scope, "refused-lines", "csv", { import: id })} download>
            <Download aria-hidden />
            CSV with reasons
          </a>
        )}
      </div>
      {data && (
        <DataTable
          label="Refused lines"
          columns={[
            { id: "line", header: "Line", className: "w-20", cell: ({ line }) => <span className="tabular-nums">{line}</span> },
            { id: "reason", header: "Reason", cell: ({ problems }) => <span className="wrap-anywhere">{problems.join(" ")}</span> },
            {
              id: "content",
              header: "Content",
              className: "max-md:hidden",
              cell: ({ content }) => <span className="line-clamp-2 font-mono text-xs text-quiet wrap-anywhere">{content}</span>,
            },
          ]}
          rows={data.lines}
          rowKey={({ line }) => String(line)}
        />
      )}
    </div>
  );
}
