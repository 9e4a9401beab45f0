import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import type { EnvironmentKind } from "#server/model/kernel/environment.ts";
import { type EnvironmentPageProps, scopeFrom } from "#web/client/address.ts";
import { orLeave, Prefetch, serverRpc } from "#web/client/server.tsx";
import { DELIVERIES, deliveriesInput } from "#web/developers/deliveries/delivery-filter.ts";
import { Endpoint } from "#web/developers/webhooks/endpoint.tsx";

type Props = EnvironmentPageProps<{ id: string }>;

/** Cached per request: both the title and the page need the endpoints. */
const endpointsOf = cache(async (project: string, environment: EnvironmentKind) =>
  (await serverRpc()).webhooks.list({ project, environment }),
);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params;
  const { project, environment } = await scopeFrom(params);
  const known = await endpointsOf(project, environment).catch(() => null);
  return { title: `${known?.endpoints.find((endpoint) => endpoint.id === id)?.url ?? "Endpoint"} · Webhooks` };
}

export default async function EndpointPage({ params }: Props) {
  const { id } = await params;
  const input = await scopeFrom(params);
  const { endpoints } = await orLeave(endpointsOf(input.project, input.environment));
  if (!endpoints.some((endpoint) => endpoint.id === id)) notFound();
  return (
    <Prefetch
      find={(orpc) => [
        orpc.webhooks.list.queryOptions({ input }),
        orpc.webhooks.health.queryOptions({ input }),
        orpc.webhooks.deliveries.queryOptions({ input: deliveriesInput(input, { ...DELIVERIES.none, endpoint: id }, null) }),
      ]}
    >
      <Endpoint id={id} />
    </Prefetch>
  );
}
