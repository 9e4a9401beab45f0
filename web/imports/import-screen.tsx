"use client";

import { useQuery } from "@tanstack/react-query";
import { FileInput } from "lucide-react";
import type { DataImport } from "../../server/operations/imports/contract.dashboard.ts";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { Page } from "../components/page.tsx";
import { ReadFailed } from "../components/problems.tsx";
import { Card, EmptyState, Notice } from "../components/surface.tsx";
import { ImportCard } from "./import-card.tsx";
import { NewImport } from "./new-import.tsx";

const REFRESH_MS = 1_000;
const MOVES: readonly DataImport["status"][] = ["Checking", "Running"];

/** Imports players, attributes, historical events and points. */
export function ImportScreen() {
  const { scope, can } = useWhere();
  const { data, error, refetch } = useQuery({
    ...orpc.imports.list.queryOptions({ input: scope }),
    refetchInterval: ({ state }) => (state.data?.imports.some(({ status }) => MOVES.includes(status)) ? REFRESH_MS : false),
  });
  return (
    <Page title="Import data" description="Players, attributes, historical events and points, from CSV or JSON lines.">
      <div className="flex flex-col gap-4">
        {can("Editor") ? <NewImport /> : <Notice>Importing needs the role Editor. Ask an Admin or Owner of the project.</Notice>}
        <ReadFailed title="Imports could not be loaded" error={error} onRetry={refetch} />
        {data?.imports.length === 0 && (
          <Card>
            <EmptyState icon={<FileInput aria-hidden />} title="No imports yet">
              Imports are listed here with their progress and the lines they refused.
            </EmptyState>
          </Card>
        )}
        {data?.imports.map((one) => (
          <ImportCard key={one.id} one={one} />
        ))}
      </div>
    </Page>
  );
}
