import { Fragment } from "react";
import type { Answers } from "../../client/service.tsx";
import { cx } from "../../components/classes.ts";
import { Badge } from "../../components/surface.tsx";

export type ShownEndpoint = Answers["webhooks"]["list"]["endpoints"][number];

export function EndpointState({ endpoint: { isOn, failingSince } }: { endpoint: ShownEndpoint }) {
  if (!isOn) return <Badge>Off</Badge>;
  return failingSince === null ? <Badge tone="good">Active</Badge> : <Badge tone="bad">Failing</Badge>;
}

/** The number of deliveries; counting stops at a limit. */
export const countInWords = (count: number): string => (count < 1000 ? String(count) : "1,000 or more");

export const deliveriesInWords = (count: number): string => (count === 1 ? "1 delivery" : `${countInWords(count)} deliveries`);

/** The effect of a rotation. `previousUntil`: the end of the secret that the last one replaced; null if it has ended. */
export const rotationInWords = (previousUntil: string | null): string =>
  previousUntil === null
    ? "A new secret is created and shown once. For 24 hours webhooks carry both signatures, so that your receiver can switch without missing one."
    : `The secret was rotated in the last 24 hours, and the one before is valid until ${previousUntil}. If you rotate it again, that one ends now: receivers that still use it will refuse webhooks. For 24 hours webhooks carry the signatures of the current secret and of the new one, which is shown once.`;

/** An endpoint's subscriptions; in little space the first one and the number of others. */
export const Subscriptions = ({ events, shown = events.length }: { events: string[]; shown?: number }) => (
  <span className={cx("flex items-center gap-1", shown === events.length && "flex-wrap")}>
    {events.slice(0, shown).map((event) => (
      <code key={event} className="rounded bg-sunken px-1.5 py-0.5 font-mono text-xs">
        {event.split(/(?<=[._])/).map((part, at) => (
          <Fragment key={at}>
            {at > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
      </code>
    ))}
    {events.length > shown && <span className="text-xs text-quiet">and {events.length - shown} more</span>}
  </span>
);
