"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Code, CopyButton } from "../../components/code.tsx";
import { indented } from "../../components/indented.ts";
import { Sheet } from "../../components/overlay.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Definition, Notice, Skeleton } from "../../components/surface.tsx";
import { ItemBadge, StatusBadge } from "../events/badges.tsx";
import { eventQuery, type Item } from "../events/filters.ts";
import { precisely } from "../events/precisely.ts";
import { Problems } from "../events/problems.tsx";

interface Props {
  /** Null: closed. */
  id: string | null;
  onClose(): void;
}

/** One request: its problem, items and payload. */
export function RequestSheet({ id, onClose }: Props) {
  const { scope, timeZone } = useWhere();
  const { data, error } = useQuery({
    ...orpc.requestLog.get.queryOptions({ input: { ...scope, id: id ?? "" } }),
    enabled: id !== null,
  });
  const title = data ? `${data.method} ${data.route ?? data.path ?? "unknown path"}` : "Request";
  return (
    <Sheet open={id !== null} onOpenChange={(open) => !open && onClose()} title={title}>
      {error ? (
        <Notice tone="bad">{problemOf(error)}</Notice>
      ) : data === undefined ? (
        <Skeleton className="h-40" />
      ) : data === null ? (
        <Notice tone="neutral">This request is no longer kept.</Notice>
      ) : (
        <div className="flex flex-col gap-5">
          <dl className="grid grid-cols-2 gap-x-4 gap-y-3 text-[0.8125rem]">
            <Definition term="Status">
              <StatusBadge status={data.status} refused={data.refused} />
            </Definition>
            <Definition term="Duration">{data.durationMs} ms</Definition>
            <Definition term="Time">{precisely(data.at, timeZone)}</Definition>
            <Definition term="API key">
              {data.key.name} <code className="font-mono text-xs text-quiet">{data.key.hint}</code>
            </Definition>
            <Definition term="Trace ID">
              <span className="flex items-center gap-1">
                <code className="min-w-0 font-mono text-xs wrap-anywhere">{data.traceId}</code>
                <CopyButton text={data.traceId} label="Copy trace ID" />
              </span>
            </Definition>
          </dl>
          {data.problems.length > 0 && (
            <Part title="Problems">
              <Problems problems={data.problems} />
            </Part>
          )}
          {data.accepted !== null && <Items accepted={data.accepted} refused={data.refused ?? 0} items={data.items} />}
          {data.target !== null && (
            <Part title="Path">
              <Code text={data.target} label="Copy path" />
            </Part>
          )}
          <Body body={data.body} length={data.bodyLength} isKept={data.target !== null} />
        </div>
      )}
    </Sheet>
  );
}

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <section>
    <h3 className="mb-1.5 text-sm font-semibold">{title}</h3>
    {children}
  </section>
);

function Body({ body, length, isKept }: { body: string | null; length: number; isKept: boolean }) {
  if (length === 0) return null;
  if (body === null) {
    return (
      <Notice tone="neutral">
        {isKept ? "The body is no longer kept." : "This environment keeps no request bodies. An Admin can switch that on under Requests."}
      </Notice>
    );
  }
  return (
    <Part
      title={
        body.length < length ? `Body, the first ${body.length.toLocaleString("en")} of ${length.toLocaleString("en")} characters` : "Body"
      }
    >
      <Code text={indented(body)} label="Copy body" />
    </Part>
  );
}

function Items({ accepted, refused, items }: { accepted: number; refused: number; items: Item[] }) {
  const { href } = useWhere();
  return (
    <Part title={`${accepted} accepted, ${refused} refused`}>
      <ul aria-label="Items" className="rounded-lg border border-line">
        {items.map(({ position, player, event, state, errors }) => (
          <li key={position} className="flex flex-col gap-1 border-b border-line px-3 py-2 text-[0.8125rem] last:border-b-0">
            <span className="flex flex-wrap items-center gap-2">
              <span className="text-xs text-quiet tabular-nums">#{position}</span>
              <code className="font-mono text-xs wrap-anywhere">{event ?? "no event"}</code>
              <span className="min-w-0 flex-1 truncate">
                {player !== null && (
                  <Link href={href(`/developers/events${eventQuery({ player })}`)} prefetch={false} className="rounded hover:underline">
                    {player}
                  </Link>
                )}
              </span>
              <ItemBadge state={state} />
            </span>
            {errors[0] !== undefined && <span className="text-quiet wrap-anywhere">{errors[0].message}</span>}
          </li>
        ))}
        {items.length < accepted + refused && (
          <li className="px-3 py-2 text-[0.8125rem] text-quiet">
            {(accepted + refused - items.length).toLocaleString("en")} more are not kept.
          </li>
        )}
      </ul>
    </Part>
  );
}
