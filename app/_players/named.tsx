"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { Kind } from "../../server/definitions/contract.ts";
import { definitionPath } from "../authoring/kinds/index.ts";
import { orpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";

type NamedKind = Extract<Kind, "events" | "metrics" | "attributes" | "missions" | "streaks" | "leaderboards" | "catalogItems">;

/** A definition by the name that it has now, leading to it. */
export function Named({ kind, of }: { kind: NamedKind; of: string }) {
  const { scope, href } = useWhere();
  const { data } = useQuery(orpc.definitions.catalogue.queryOptions({ input: scope }));
  const all: readonly { key: string; name: string }[] = data?.[kind] ?? [];
  return (
    <Link href={href(definitionPath(kind, of))} prefetch={false} className="rounded font-medium hover:underline">
      {all.find(({ key }) => key === of)?.name ?? of}
    </Link>
  );
}
