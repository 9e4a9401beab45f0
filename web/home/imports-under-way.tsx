"use client";

import { useQuery } from "@tanstack/react-query";
import type { DataImport } from "../../server/operations/imports/contract.dashboard.ts";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { LinkButton } from "../components/button.tsx";
import { Notice } from "../components/surface.tsx";

const REFRESH_MS = 2_000;
const isUnderWay = ({ status }: DataImport): boolean => status === "Checking" || status === "Running";

/** While an import runs, the figures below still grow. */
export function ImportsUnderWay() {
  const { scope, href } = useWhere();
  const { data } = useQuery({
    ...orpc.imports.list.queryOptions({ input: scope }),
    refetchInterval: ({ state }) => (state.data?.imports.some(isUnderWay) ? REFRESH_MS : false),
  });
  const running = data?.imports.filter(isUnderWay) ?? [];
  if (running.length === 0) return null;
  const names = running.map(({ fileName, progress }) => `${fileName} (${Math.round(progress * 100)}%)`).join(", ");
  return (
    <Notice
      title="Data is being imported"
      action={
        <LinkButton size="sm" href={href("/import")} prefetch={false}>
          Progress
        </LinkButton>
      }
    >
      {names}. Figures and reports are not final until it is done.
    </Notice>
  );
}
