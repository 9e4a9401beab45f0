"use client";

import Link from "next/link";
import { useWhere } from "../../client/where.tsx";
import { Code, CopyButton } from "../../components/code.tsx";
import { indented } from "../../components/indented.ts";
import { Sheet } from "../../components/overlay.tsx";
import { Definition } from "../../components/surface.tsx";
import { ItemBadge } from "./badges.tsx";
import { type Item, requestQuery } from "./filters.ts";
import { Outcomes } from "./outcomes.tsx";
import { precisely } from "./precisely.ts";
import { Problems } from "./problems.tsx";

/** The open item of the tail, or event of the log. */
export type Looked = { item: Item } | { player: string; eventId: string; event: string | null };

/** An item: its payload, its refusal, or its effects and the reasons for missing ones. */
export function ItemSheet({ looked, onClose }: { looked: Looked | null; onClose(): void }) {
  const item = looked !== null && "item" in looked ? looked.item : null;
  const about = looked === null || "item" in looked ? item : looked;
  return (
    <Sheet open={looked !== null} onOpenChange={(open) => !open && onClose()} title={about?.event ?? "Event"}>
      <div className="flex flex-col gap-5">
        {item !== null && <Sent item={item} />}
        {item !== null && item.errors.length > 0 && (
          <section>
            <h3 className="mb-1.5 text-sm font-semibold">Why it was refused</h3>
            <Problems problems={item.errors} />
          </section>
        )}
        {about !== null && about.player !== null && about.eventId !== null && (
          <Outcomes
            key={`${about.eventId} ${item?.requestId ?? ""} ${item?.position ?? ""}`}
            player={about.player}
            eventId={about.eventId}
            item={item}
            showsProperties={(item?.payload ?? null) === null}
          />
        )}
        {item?.payload != null && (
          <section>
            <h3 className="mb-1.5 text-sm font-semibold">As sent</h3>
            <Code text={indented(item.payload)} label="Copy payload" />
          </section>
        )}
        {item !== null && item.payload === null && item.eventId === null && (
          <p className="text-[0.8125rem] text-quiet">
            This environment keeps no request bodies, so what was sent is not shown. An Admin can switch that on under Requests.
          </p>
        )}
      </div>
    </Sheet>
  );
}

function Sent({ item }: { item: Item }) {
  const { href, timeZone } = useWhere();
  const { state, player, key, at, traceId, requestId, eventId } = item;
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 text-[0.8125rem]">
      <Definition term="Outcome">
        <ItemBadge state={state} />
      </Definition>
      <Definition term="Time">{precisely(at, timeZone)}</Definition>
      <Definition term="Player">
        {player === null ? (
          "–"
        ) : eventId === null ? (
          player
        ) : (
          <Link href={href(`/players/${encodeURIComponent(player)}`)} prefetch={false} className="rounded font-medium hover:underline">
            {player}
          </Link>
        )}
      </Definition>
      <Definition term="API key">
        {key.name} <code className="font-mono text-xs text-quiet">{key.hint}</code>
      </Definition>
      <Definition term="Request">
        <Link
          href={href(`/developers/requests${requestQuery({ request: requestId })}`)}
          prefetch={false}
          className="rounded font-medium hover:underline"
        >
          Open the request
        </Link>
      </Definition>
      <Definition term="Trace ID">
        <span className="flex items-center gap-1">
          <code className="min-w-0 font-mono text-xs wrap-anywhere">{traceId}</code>
          <CopyButton text={traceId} label="Copy trace ID" />
        </span>
      </Definition>
    </dl>
  );
}
