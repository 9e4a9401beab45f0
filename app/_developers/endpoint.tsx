"use client";

import { useQuery } from "@tanstack/react-query";
import { orpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import { Page } from "../_components/page.tsx";
import { Card, Definition, EmptyState, Notice } from "../_components/surface.tsx";
import { exactly } from "../_components/exactly.ts";
import { Instant } from "../_components/time.tsx";
import { Deliveries } from "./deliveries.tsx";
import { DiscardHeld } from "./discard-held.tsx";
import { EndpointActions } from "./endpoint-actions.tsx";
import { countInWords, EndpointState, Events } from "./endpoint-state.tsx";
import { Ping } from "./ping.tsx";

/** One endpoint: how it fares, what can be done with it, and what was sent to it. */
export function Endpoint({ id }: { id: string }) {
  const { scope, href, timeZone, can } = useWhere();
  const { data } = useQuery({ ...orpc.webhooks.list.queryOptions({ input: scope }), refetchInterval: 5_000 });
  const endpoint = data?.endpoints.find((one) => one.id === id);
  const breadcrumbs = [
    { label: "Developers", href: href("/developers") },
    { label: "Webhooks", href: href("/developers/webhooks") },
  ];
  if (!data || !endpoint) {
    return (
      <Page title="Webhook endpoint" breadcrumbs={breadcrumbs}>
        <Card>
          <EmptyState title="This endpoint is gone">Somebody has deleted it. What was still to be sent to it has failed.</EmptyState>
        </Card>
      </Page>
    );
  }
  return (
    <Page
      title={endpoint.url}
      aside={<EndpointState endpoint={endpoint} />}
      breadcrumbs={breadcrumbs}
      actions={can("Admin") && <EndpointActions endpoint={endpoint} events={data.events} />}
    >
      <div className="flex flex-col gap-4">
        {!endpoint.isOn && (
          <Notice tone="warn" title="Nothing is sent to this endpoint">
            {endpoint.offReason} What it is to be told meanwhile is held, and goes out once it is on again, the oldest first. What was held
            for 30 days is given up.
            {can("Admin") && endpoint.held > 0 && <DiscardHeld endpoint={endpoint} />}
          </Notice>
        )}
        {endpoint.secretProblem !== null && (
          <Notice tone="bad" title="Nothing can be signed for this endpoint">
            {endpoint.secretProblem}
          </Notice>
        )}
        {endpoint.isOn && endpoint.failingSince !== null && (
          <Notice tone="bad" title={`Every attempt has failed since ${exactly(endpoint.failingSince, timeZone)}`}>
            It is tried again and again; after five days it is switched off. Ping it to see what it answers.
          </Notice>
        )}
        <Card>
          <dl className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
            <Definition term="Events">
              <Events events={endpoint.events} />
            </Definition>
            {endpoint.isOn ? (
              <Definition term="Waiting to be sent">{countInWords(endpoint.waiting)}</Definition>
            ) : (
              <Definition term="Held until it is on">{countInWords(endpoint.held)}</Definition>
            )}
            <Definition term="Secret">
              {endpoint.previousSecretUntil === null
                ? "One, shown when it was made"
                : `The one before signs along until ${exactly(endpoint.previousSecretUntil, timeZone)}`}
            </Definition>
            <Definition term="Created">
              <Instant value={endpoint.createdAt} timeZone={timeZone} />
            </Definition>
          </dl>
        </Card>
        {can("Admin") && <Ping id={id} />}
        <Deliveries id={id} isOn={endpoint.isOn} />
      </div>
    </Page>
  );
}
