"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { Kind } from "../../server/model/definitions/contract.ts";
import { definitionPath } from "../definitions/kinds/index.ts";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";

export type NamedKind = Extract<
  Kind,
  "events" | "metrics" | "attributes" | "segments" | "missions" | "streaks" | "leaderboards" | "catalogItems"
>;

/** Current definition names by key; the key itself for deleted ones. */
export function useNames(kind: NamedKind): (key: string) => string {
  const { scope } = useWhere();
  const { data } = useQuery(orpc.definitions.catalogue.queryOptions({ input: scope }));
  const all: readonly { key: string; name: string }[] = data?.[kind] ?? [];
  return (of) => all.find(({ key }) => key === of)?.name ?? of;
}

/** A definition's current name, linked. */
export function Named({ kind, of }: { kind: NamedKind; of: string }) {
  const { href } = useWhere();
  const nameOf = useNames(kind);
  return (
    <Link href={href(definitionPath(kind, of))} prefetch={false} className="rounded font-medium hover:underline">
      {nameOf(of)}
    </Link>
  );
}
