import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { type ScopeParams, scopeFrom } from "../../../../../../_client/scope.ts";
import { orLeave, Prefetch, serverRpc } from "../../../../../../_client/server.tsx";
import { deliveriesInput } from "../../../../../../_developers/deliveries-input.ts";
import { Endpoint } from "../../../../../../_developers/endpoint.tsx";

export const metadata: Metadata = { title: "Webhook endpoint" };

export default async function EndpointPage({ params }: { params: Promise<ScopeParams & { id: string }> }) {
  const { id } = await params;
  const input = await scopeFrom(params);
  const rpc = await serverRpc();
  const { endpoints } = await orLeave(rpc.webhooks.list(input));
  if (!endpoints.some((endpoint) => endpoint.id === id)) notFound();
  return (
    <Prefetch
      find={(orpc) => [
        orpc.webhooks.list.queryOptions({ input }),
        orpc.webhooks.deliveries.queryOptions({ input: deliveriesInput(input, id, "all", null) }),
      ]}
    >
      <Endpoint id={id} />
    </Prefetch>
  );
}
