"use client";

import { Plus, Webhook } from "lucide-react";
import { useState } from "react";
import { orpc, useRead, useWhere } from "../../client/service.tsx";
import { Button } from "../../components/button.tsx";
import { dialogOnceOpen } from "../../components/overlay.tsx";
import { Loaded } from "../../components/problems.tsx";
import { Card, EmptyState } from "../../components/surface.tsx";
import { type Column, column, DataTable, instantColumn, numericColumn } from "../../components/table.tsx";
import { DevelopersPage } from "../developers-page.tsx";
import { HealthStrip } from "./health-strip.tsx";
import { EndpointState, Subscriptions, type ShownEndpoint } from "./endpoint-state.tsx";

const EndpointDialog = dialogOnceOpen(() => import("./endpoint-dialog.tsx").then((loaded) => loaded.EndpointDialog));

const briefly = (count: number): string => (count < 1000 ? String(count) : "1,000+");

export function Endpoints() {
  const { can, href } = useWhere();
  const list = useRead(orpc.webhooks.list);
  const { data: health } = useRead(orpc.webhooks.health, {}, { refetchInterval: 30_000 });
  const [isNew, setNew] = useState(false);
  const columns: Column<ShownEndpoint>[] = [
    column("URL", ({ url }) => <span className="block truncate">{url}</span>),
    column("Status", (endpoint) => <EndpointState endpoint={endpoint} />),
    column("Events", ({ events }) => <Subscriptions events={events} shown={1} />, "max-lg:hidden"),
    column(
      "Last 48 hours",
      ({ id }) =>
        health && (
          <HealthStrip hours={health.endpoints.find((one) => one.id === id)?.hours ?? []} now={health.now} className="relative h-7 w-48" />
        ),
      "w-52 max-md:hidden",
    ),
    numericColumn("Pending", ({ isOn, waiting, held }) => (isOn ? briefly(waiting) : `${briefly(held)} held`), "max-sm:hidden"),
    instantColumn("Created", ({ createdAt }) => createdAt, { className: "max-xl:hidden" }),
  ];
  const add = can("Admin") && (
    <Button variant="primary" icon={<Plus />} opens={EndpointDialog} onClick={() => setNew(true)}>
      Add endpoint
    </Button>
  );
  return (
    <DevelopersPage actions={list.data?.endpoints.length !== 0 && add} ofAdmins="add or change endpoints">
      <Card padded={false}>
        <Loaded of={list} what="Endpoints" isInset className="h-24">
          {({ endpoints }) => (
            <DataTable
              label="Webhook endpoints"
              columns={columns}
              rows={endpoints}
              rowKey={({ id }) => id}
              href={({ id }) => href(`/developers/webhooks/${id}`)}
              empty={
                <EmptyState icon={<Webhook />} title="No endpoints yet" action={add}>
                  A webhook tells your backend when a mission is completed or an item has to be handed out. It is signed with the endpoint's
                  secret.
                </EmptyState>
              }
            />
          )}
        </Loaded>
      </Card>
      {list.data && isNew && <EndpointDialog onClose={() => setNew(false)} events={list.data.events} />}
    </DevelopersPage>
  );
}
