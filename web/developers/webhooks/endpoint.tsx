"use client";

import { useQuery } from "@tanstack/react-query";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Page } from "../../components/page.tsx";
import { Card, Definition, EmptyState, Notice } from "../../components/surface.tsx";
import { exactly } from "../../components/exactly.ts";
import { Instant } from "../../components/time.tsx";
import { Deliveries } from "../deliveries/deliveries.tsx";
import { DiscardHeld } from "../deliveries/discard-held.tsx";
import { EndpointActions } from "./endpoint-actions.tsx";
import { countInWords, EndpointState, Events } from "./endpoint-state.tsx";
import { HealthCard } from "./health-card.tsx";
import { Ping } from "./ping.tsx";

/** One endpoint: status, actions and deliveries. */
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
          <EmptyState title="Endpoint not found">It was deleted. Its pending deliveries failed.</EmptyState>
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
            {endpoint.offReason} Deliveries are held and sent, oldest first, when it is switched on again. After 30 days a held delivery is
            given up.
            {can("Support") && endpoint.held > 0 && <DiscardHeld endpoint={endpoint} />}
          </Notice>
        )}
        {endpoint.secretProblem !== null && (
          <Notice tone="bad" title="Deliveries to this endpoint cannot be signed">
            {endpoint.secretProblem}
          </Notice>
        )}
        {endpoint.isOn && endpoint.failingSince !== null && (
          <Notice tone="bad" title={`Every attempt has failed since ${exactly(endpoint.failingSince, timeZone)}`}>
            We keep retrying. After five days the endpoint is switched off. Send a ping to see its response.
          </Notice>
        )}
        <Card>
          <dl className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
            <Definition term="Events">
              <Events events={endpoint.events} />
            </Definition>
            {endpoint.isOn ? (
              <Definition term="Pending">{countInWords(endpoint.waiting)}</Definition>
            ) : (
              <Definition term="Held until switched on">{countInWords(endpoint.held)}</Definition>
            )}
            <Definition term="Secret">
              {endpoint.previousSecretUntil === null
                ? "Shown once, when created"
                : `Previous secret valid until ${exactly(endpoint.previousSecretUntil, timeZone)}`}
            </Definition>
            <Definition term="Created">
              <Instant value={endpoint.createdAt} />
            </Definition>
          </dl>
        </Card>
        <HealthCard id={id} />
        {can("Admin") && <Ping id={id} />}
        <Deliveries id={id} />
      </div>
    </Page>
  );
}
