import { preciseInstant } from "#server/model/kernel/dates.ts";
import { formatted, plural } from "#server/model/kernel/thousands.ts";
import { TextLink } from "../../components/button.tsx";
import { orpc, useRead, useWhere } from "../../client/service.tsx";
import { Code, indented } from "../../components/code.tsx";
import { Sheet } from "../../components/overlay.tsx";
import { Loaded } from "../../components/problems.tsx";
import { DefinitionItem, Notice, Part } from "../../components/surface.tsx";
import { ItemBadge, ItemProblems, Origin, ResponseBadge } from "../events/outcome.tsx";
import { EVENTS, type Item } from "../events/filters.ts";

interface Props {
  /** Null: closed. */
  id: string | null;
  onClose(): void;
}

export function RequestSheet({ id, onClose }: Props) {
  const { timeZone } = useWhere();
  const request = useRead(orpc.requestLog.get, { id: id ?? "" }, { enabled: id !== null });
  const { data } = request;
  const title = data ? `${data.method} ${data.route ?? data.path ?? "unknown path"}` : "Request";
  return (
    <Sheet open={id !== null} onOpenChange={(open) => !open && onClose()} title={title}>
      <Loaded of={request} what="The request" className="h-40">
        {(shown) =>
          shown === null ? (
            <Notice tone="neutral">This request is no longer kept.</Notice>
          ) : (
            <div className="flex flex-col gap-5">
              <dl className="grid grid-cols-2 gap-x-4 gap-y-3 text-[0.8125rem]">
                <DefinitionItem term="Status">
                  <ResponseBadge status={shown.status} refused={shown.refused} />
                </DefinitionItem>
                <DefinitionItem term="Duration">{shown.durationMs} ms</DefinitionItem>
                <DefinitionItem term="Time">{preciseInstant(shown.at, timeZone)}</DefinitionItem>
                <Origin apiKey={shown.key} traceId={shown.traceId} />
              </dl>
              {shown.problems.length > 0 && (
                <Part title="Problems">
                  <ItemProblems problems={shown.problems} />
                </Part>
              )}
              {shown.accepted !== null && <Items accepted={shown.accepted} refused={shown.refused ?? 0} items={shown.items} />}
              {shown.target !== null && (
                <Part title="Path">
                  <Code text={shown.target} label="Copy path" />
                </Part>
              )}
              <KeptBody body={shown.body} length={shown.bodyLength} isKept={shown.target !== null} />
            </div>
          )
        }
      </Loaded>
    </Sheet>
  );
}

function KeptBody({ body, length, isKept }: { body: string | null; length: number; isKept: boolean }) {
  if (length === 0) return null;
  if (body === null) {
    return (
      <Notice tone="neutral">
        {isKept ? "The body is no longer kept." : "This environment keeps no request bodies. An Admin can switch that on under Requests."}
      </Notice>
    );
  }
  return (
    <Part title={body.length < length ? `Body, the first ${formatted(body.length)} of ${formatted(length)} characters` : "Body"}>
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
                  <TextLink href={href(`/developers/events${EVENTS.queryOf({ player })}`)} className="font-normal">
                    {player}
                  </TextLink>
                )}
              </span>
              <ItemBadge state={state} />
            </span>
            {errors[0] !== undefined && <span className="text-quiet wrap-anywhere">{errors[0].message}</span>}
          </li>
        ))}
        {items.length < accepted + refused && (
          <li className="px-3 py-2 text-[0.8125rem] text-quiet">
            {plural(accepted + refused - items.length, "more item is", "more items are")} not kept.
          </li>
        )}
      </ul>
    </Part>
  );
}
