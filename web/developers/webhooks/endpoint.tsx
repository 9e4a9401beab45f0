"use client";

import { instantInWords } from "#server/model/kernel/dates.ts";
import { useMutation } from "@tanstack/react-query";
import { Radio, Send } from "lucide-react";
import { useState } from "react";
import { orpc, rpc, useAttempt, useRead, useWhere } from "../../client/service.tsx";
import { Page } from "../../components/page.tsx";
import { Badge, Card, DefinitionItem, EmptyState, Notice } from "../../components/surface.tsx";
import { Instant } from "../../components/time.tsx";
import { EndpointActions } from "./endpoint-actions.tsx";
import { countInWords, deliveriesInWords, EndpointState, type ShownEndpoint, Subscriptions } from "./endpoint-state.tsx";
import { HealthCard } from "./health-strip.tsx";
import { Button, SmallLink } from "../../components/button.tsx";
import { ConfirmButton } from "../../components/overlay.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Segmented } from "../../components/choice.tsx";
import { Excerpt } from "../../components/code.tsx";
import { ListCard, useListed } from "../../components/list-card.tsx";
import { TableToolbar } from "../../components/table-toolbar.tsx";
import { COLUMNS_OF_ENDPOINT } from "../deliveries/delivery-columns.tsx";
import { DELIVERIES, deliveriesInput, type DeliveryStatus, DELIVERY_STATUSES } from "../deliveries/delivery-filter.ts";
import { DeliverySheet } from "../deliveries/delivery-sheet.tsx";

export function Endpoint({ id }: { id: string }) {
  const { href, timeZone, can } = useWhere();
  const { data } = useRead(orpc.webhooks.list, {}, { refetchInterval: 5_000 });
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
            {endpoint.offReason} Deliveries are held and sent, oldest first, when it is switched on again. Held deliveries expire after 30
            days.
            {can("Support") && endpoint.held > 0 && <DiscardHeld endpoint={endpoint} />}
          </Notice>
        )}
        {endpoint.secretProblem !== null && (
          <Notice tone="bad" title="Deliveries to this endpoint cannot be signed">
            {endpoint.secretProblem}
          </Notice>
        )}
        {endpoint.isOn && endpoint.failingSince !== null && (
          <Notice tone="bad" title={`Every attempt has failed since ${instantInWords(endpoint.failingSince, timeZone)}`}>
            We keep retrying. After five days the endpoint is switched off. Send a ping to see its response.
          </Notice>
        )}
        <Card>
          <dl className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
            <DefinitionItem term="Events">
              <Subscriptions events={endpoint.events} />
            </DefinitionItem>
            {endpoint.isOn ? (
              <DefinitionItem term="Pending">{countInWords(endpoint.waiting)}</DefinitionItem>
            ) : (
              <DefinitionItem term="Held until switched on">{countInWords(endpoint.held)}</DefinitionItem>
            )}
            <DefinitionItem term="Secret">
              {endpoint.previousSecretUntil === null
                ? "Hidden. Rotate it to get a new one."
                : `Previous secret valid until ${instantInWords(endpoint.previousSecretUntil, timeZone)}`}
            </DefinitionItem>
            <DefinitionItem term="Created">
              <Instant value={endpoint.createdAt} />
            </DefinitionItem>
          </dl>
        </Card>
        <HealthCard id={id} />
        {can("Admin") && <Ping id={id} />}
        <DeliveriesOfEndpoint id={id} />
      </div>
    </Page>
  );
}

/** Discards the held deliveries of a disabled endpoint, after confirmation. */
function DiscardHeld({ endpoint: { id, held } }: { endpoint: ShownEndpoint }) {
  const { scope } = useWhere();
  const attempt = useAttempt(orpc.webhooks.key());
  return (
    <div className="mt-2">
      <ConfirmButton
        trigger={<Button size="sm">Discard held deliveries</Button>}
        title={`Discard ${deliveriesInWords(held)}?`}
        confirmLabel="Discard"
        isDanger
        onConfirm={() =>
          attempt(
            "Nothing was discarded",
            () => rpc.webhooks.discardHeld({ ...scope, id }),
            ({ discarded }) => ({ title: `${deliveriesInWords(discarded)} discarded` }),
          )
        }
      >
        They are not sent when the endpoint is switched on again. Some may be items that players have paid for. New deliveries are still
        held. Discarded deliveries stay in the list, where completed missions and items to hand out can be resent.
      </ConfirmButton>
    </div>
  );
}

function Ping({ id }: { id: string }) {
  const { scope } = useWhere();
  // A successful ping ends the endpoint's failing state.
  const ping = useMutation(orpc.webhooks.ping.mutationOptions({ meta: { touches: [orpc.webhooks.list.key()] } }));
  const answer = ping.data;
  return (
    <Card
      title="Ping"
      description="A signed request with the event “ping” and no data. Not logged or retried."
      aria-label="Ping"
      actions={
        <Button icon={<Radio />} isPending={ping.isPending} onClick={() => ping.mutate({ ...scope, id })}>
          Send a ping
        </Button>
      }
    >
      <div role="status" className="empty:hidden">
        {ping.isError && <Notice tone="bad">{problemOf(ping.error)}</Notice>}
        {answer && !ping.isPending && (
          <div className="flex flex-col gap-3">
            <p className="flex flex-wrap items-center gap-2">
              <Badge tone={answer.isAccepted ? "good" : "bad"}>{answer.status ?? "No response"}</Badge>
              <span>{answer.words}</span>
              <span className="text-quiet tabular-nums">{answer.durationMs} ms</span>
            </p>
            {answer.excerpt && (
              <div>
                <div className="mb-1 text-xs text-quiet">Response</div>
                <Excerpt label="Response">{answer.excerpt}</Excerpt>
              </div>
            )}
          </div>
        )}
      </div>
      {!ping.isError && !answer && <p className="text-quiet">Nothing sent yet.</p>}
    </Card>
  );
}

const OPTIONS = [{ value: "all", label: "All" } as const, ...DELIVERY_STATUSES.map((status) => ({ value: status, label: status }))];

/** An endpoint's deliveries, newest first; refetched every few seconds. */
function DeliveriesOfEndpoint({ id }: { id: string }) {
  const { scope, href } = useWhere();
  const [status, setStatus] = useState<DeliveryStatus | "all">("all");
  const [opened, setOpened] = useState<string | null>(null);
  const filter = { ...DELIVERIES.none, endpoint: id, status: status === "all" ? null : status };
  const list = useListed((cursor) => orpc.webhooks.deliveries.queryOptions({ input: deliveriesInput(scope, filter, cursor) }), 5_000);
  return (
    <>
      <ListCard
        isTitled
        label="Deliveries"
        actions={<SmallLink href={href(`/developers/deliveries${DELIVERIES.queryOf({ endpoint: id })}`)}>Search deliveries</SmallLink>}
        filters={
          <TableToolbar>
            <Segmented<DeliveryStatus | "all"> label="Status" value={status} onValueChange={setStatus} options={OPTIONS} />
          </TableToolbar>
        }
        columns={COLUMNS_OF_ENDPOINT}
        list={list}
        rows={list.data?.deliveries}
        rowKey={(delivery) => delivery.id}
        onOpen={(delivery) => setOpened(`${id}.${delivery.id}`)}
        empty={{
          icon: <Send />,
          title: status === "all" ? "No deliveries yet" : "No matching deliveries",
          words: status === "all" ? "Deliveries to this endpoint are listed here with every attempt." : "Choose another status above.",
        }}
      />
      <DeliverySheet opened={opened} onClose={() => setOpened(null)} />
    </>
  );
}
