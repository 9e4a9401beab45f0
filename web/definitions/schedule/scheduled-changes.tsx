"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import type { DashboardClient } from "#server/api/dashboard.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { exactly } from "../../components/exactly.ts";
import { Badge, Card } from "../../components/surface.tsx";
import { definitionPath, KIND_MODULES } from "../kinds/index.ts";
import { ChangeActions } from "./change-actions.tsx";

/** Loaded when a difference is shown. */
const Differences = dynamic(() => import("../history/differences.tsx").then((loaded) => loaded.Differences));

type Scheduled = Awaited<ReturnType<DashboardClient["definitions"]["scheduled"]>>;

interface ScheduledChangesProps {
  /** One definition; the whole environment by default. */
  which?: { kind: Kind; key: string };
  /** Rendered on the server. */
  initial?: Scheduled;
}

const EVERY_MS = 30_000;
const MAX_SHOWN = 10;

/** Pending and failed scheduled changes; hidden when there are none. */
export function ScheduledChanges({ which, initial }: ScheduledChangesProps) {
  const { scope } = useWhere();
  const { data } = useQuery({
    ...orpc.definitions.scheduled.queryOptions({ input: which === undefined ? scope : { ...scope, which } }),
    initialData: initial,
    refetchInterval: EVERY_MS,
  });
  const changes = data?.changes ?? [];
  if (changes.length === 0) return null;
  return (
    <Card title="Scheduled changes" padded={false}>
      <ul aria-label="Scheduled changes" className="divide-y divide-line">
        {changes.slice(0, MAX_SHOWN).map((change) => (
          <li key={change.id} className="px-4 py-3">
            <Change change={change} isNamed={which === undefined} />
          </li>
        ))}
      </ul>
      {changes.length > MAX_SHOWN && <p className="px-4 py-2 text-[0.8125rem] text-quiet">and {changes.length - MAX_SHOWN} more</p>}
    </Card>
  );
}

function Change({ change, isNamed }: { change: Scheduled["changes"][number]; isNamed: boolean }) {
  const { timeZone, href, can } = useWhere();
  const { kind, key, name, at, by, failure } = change;
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {isNamed && (
            <Link href={href(definitionPath(kind, key))} prefetch={false} className="font-medium wrap-anywhere hover:underline">
              {name}
            </Link>
          )}
          {isNamed && <span className="text-[0.8125rem] text-quiet">{KIND_MODULES[kind].one}</span>}
          <span className={isNamed ? "text-[0.8125rem] text-quiet" : "font-medium"}>
            {failure === null ? "applies" : "was due"} {exactly(at, timeZone)}
          </span>
          {failure !== null && <Badge tone="bad">Not applied</Badge>}
        </p>
        <p className="text-[0.8125rem] text-quiet wrap-anywhere">Scheduled by {by}</p>
        {failure !== null && <p className="mt-1 text-[0.8125rem] text-bad wrap-anywhere">{reasonIn(failure)}</p>}
        {change.fields > 0 && (
          <div className="mt-2">
            <Differences of={change} />
          </div>
        )}
      </div>
      {can("Editor") && <ChangeActions change={change} />}
    </div>
  );
}

function reasonIn({ conflict, problems, error }: NonNullable<Scheduled["changes"][number]["failure"]>): string {
  if (conflict !== null) return `${conflict.by ?? "Somebody"} changed it after this was scheduled.`;
  return problems.length > 0 ? problems.map(({ message }) => message).join("; ") : (error ?? "It could not be saved.");
}
