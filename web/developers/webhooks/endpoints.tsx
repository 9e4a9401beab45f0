"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus, Webhook } from "lucide-react";
import { useState } from "react";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Button } from "../../components/button.tsx";
import { Card, EmptyState, Notice } from "../../components/surface.tsx";
import { instantColumn } from "../../components/instant-column.tsx";
import { type Column, DataTable } from "../../components/table.tsx";
import { DevelopersPage } from "../developers-page.tsx";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { HealthStrip } from "./health-strip.tsx";
import { EndpointState, Events, type ShownEndpoint } from "./endpoint-state.tsx";

const briefly = (count: number): string => (count < 1000 ? String(count) : "1,000+");

/** An environment's endpoints: URLs, subscriptions and status. */
export function Endpoints() {
  const { scope, can, href } = useWhere();
  const { data } = useQuery(orpc.webhooks.list.queryOptions({ input: scope }));
  const { data: health } = useQuery({ ...orpc.webhooks.health.queryOptions({ input: scope }), refetchInterval: 30_000 });
  const [isNew, setNew] = useState(false);
  const mayChange = can("Admin");
  const columns: Column<ShownEndpoint>[] = [
    { id: "url", header: "URL", cell: ({ url }) => <span className="block truncate">{url}</span> },
    { id: "state", header: "Status", cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
    { id: "events", header: "Events", className: "max-lg:hidden", cell: ({ events }) => <Events events={events} shown={1} /> },
    {
      id: "health",
      header: "Last 48 hours",
      className: "w-52 max-md:hidden",
      cell: ({ id }) =>
        health && (
          <HealthStrip hours={health.endpoints.find((one) => one.id === id)?.hours ?? []} now={health.now} className="relative h-7 w-48" />
        ),
    },
    {
      id: "waiting",
      header: "Pending",
      isNumeric: true,
      className: "max-sm:hidden",
      cell: ({ isOn, waiting, held }) => (isOn ? briefly(waiting) : `${briefly(held)} held`),
    },
    instantColumn("Created", ({ createdAt }) => createdAt, { className: "max-xl:hidden" }),
  ];
  const add = (
    <Button variant="primary" icon={<Plus aria-hidden />} onClick={() => setNew(true)}>
      Add endpoint
    </Button>
  );
  return (
    <DevelopersPage actions={mayChange && add}>
      {!mayChange && (
        <Notice tone="neutral" className="mb-4">
          Only Admins and Owners can add or change endpoints.
        </Notice>
      )}
      <Card padded={false}>
        <DataTable
          label="Webhook endpoints"
          columns={columns}
          rows={data?.endpoints ?? []}
          rowKey={({ id }) => id}
          href={({ id }) => href(`/developers/webhooks/${id}`)}
          empty={
            <EmptyState icon={<Webhook aria-hidden />} title="No endpoints yet" action={mayChange && add}>
              A webhook tells your backend when a mission is completed or an item has to be handed out. It is signed with the endpoint's
              secret.
            </EmptyState>
          }
        />
      </Card>
      {data && <EndpointDialog open={isNew} onOpenChange={setNew} events={data.events} />}
    </DevelopersPage>
  );
}
