import { preciseInstant } from "#server/model/kernel/dates.ts";
import { TextLink } from "../../components/button.tsx";
import { useWhere } from "../../client/service.tsx";
import { Code, indented } from "../../components/code.tsx";
import { Sheet } from "../../components/overlay.tsx";
import { DefinitionItem, Part } from "../../components/surface.tsx";
import { PlayerLink } from "../../client/links.tsx";
import { type Item, REQUESTS } from "./filters.ts";
import { Outcomes } from "./outcomes.tsx";
import { ItemBadge, ItemProblems, Origin } from "./outcome.tsx";

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
          <Part title="Why it was refused">
            <ItemProblems problems={item.errors} />
          </Part>
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
          <Part title="As sent">
            <Code text={indented(item.payload)} label="Copy payload" />
          </Part>
        )}
        {item !== null && item.payload === null && item.eventId === null && (
          <p className="text-[0.8125rem] text-quiet">
            This environment keeps no request bodies, so the event as sent is not shown. An Admin can switch that on under Requests.
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
      <DefinitionItem term="Outcome">
        <ItemBadge state={state} />
      </DefinitionItem>
      <DefinitionItem term="Time">{preciseInstant(at, timeZone)}</DefinitionItem>
      <DefinitionItem term="Player">{player === null ? "–" : eventId === null ? player : <PlayerLink of={player} />}</DefinitionItem>
      <DefinitionItem term="Request">
        <TextLink href={href(`/developers/requests${REQUESTS.queryOf({ request: requestId })}`)}>Open the request</TextLink>
      </DefinitionItem>
      <Origin apiKey={key} traceId={traceId} />
    </dl>
  );
}
