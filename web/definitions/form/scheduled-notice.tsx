"use client";

import { useQuery } from "@tanstack/react-query";
import type { Kind } from "#server/model/definitions/contract.ts";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { LinkButton } from "../../components/button.tsx";
import { exactly } from "../../components/exactly.ts";
import { Notice } from "../../components/surface.tsx";
import { definitionPath } from "../kinds/index.ts";

/** Warns in a form about a scheduled change: saving first makes that change a conflict. */
export function ScheduledNotice({ kind, definitionKey: key }: { kind: Kind; definitionKey: string }) {
  const { scope, timeZone, href } = useWhere();
  const { data } = useQuery(orpc.definitions.scheduled.queryOptions({ input: { ...scope, which: { kind, key } } }));
  const next = data?.changes.find(({ failure }) => failure === null);
  if (next === undefined) return null;
  return (
    <Notice
      tone="warn"
      title={`A change by ${next.by} is scheduled for ${exactly(next.at, timeZone)}.`}
      action={
        <LinkButton size="sm" href={href(definitionPath(kind, key))}>
          View change
        </LinkButton>
      }
    >
      If you save before then, it is kept as not applied and shown on Home, where an Editor can still apply it.
    </Notice>
  );
}
