import { useMutation } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { orpc, useRead, useWhere } from "../../client/service.tsx";
import { Button, TextLink } from "../../components/button.tsx";
import { Code, CopyButton, indented } from "../../components/code.tsx";
import { Sheet } from "../../components/overlay.tsx";
import { Loaded } from "../../components/problems.tsx";
import { DefinitionItem, Notice, Part } from "../../components/surface.tsx";
import { PlayerLink } from "../../client/links.tsx";
import { EVENTS } from "../events/filters.ts";
import { Attempts } from "./attempts.tsx";
import { DeliveryState, heldInWords } from "./delivery-state.tsx";

interface Props {
  /** `<endpoint>.<delivery>`, by their ids; null: closed. */
  opened: string | null;
  onClose(): void;
}

/** A delivery with its attempts, their request bodies, and actions. */
export function DeliverySheet({ opened, onClose }: Props) {
  const { scope, can, href } = useWhere();
  const [id = "", deliveryId = ""] = opened?.split(".") ?? [];
  const input = { ...scope, id, deliveryId };
  const delivery = useRead(orpc.webhooks.delivery, { id, deliveryId }, { enabled: opened !== null, refetchInterval: 2_000 });
  const { data } = delivery;
  const touches = [orpc.webhooks.key()];
  const retry = useMutation(
    orpc.webhooks.retry.mutationOptions({
      meta: { done: "Resending the delivery", failure: "The delivery was not resent", touches },
    }),
  );
  const discard = useMutation(
    orpc.webhooks.discard.mutationOptions({ meta: { done: "Delivery discarded", failure: "The delivery was not discarded", touches } }),
  );
  const mayChange = can("Support");
  const held = data === undefined ? null : heldInWords(data);
  return (
    <Sheet
      open={opened !== null}
      onOpenChange={(open) => !open && onClose()}
      title={data?.event ?? "Delivery"}
      actions={
        mayChange &&
        data !== undefined && (
          <>
            {data.status === "Held" && (
              <Button size="sm" isPending={discard.isPending} onClick={() => discard.mutate(input)}>
                Discard
              </Button>
            )}
            {data.resendProblem === null && (
              <Button
                size="sm"
                icon={<RotateCw />}
                isPending={retry.isPending}
                isBlocked={!data.isEndpointOn || data.isUnderWay}
                onClick={() => retry.mutate(input)}
              >
                {data.status === "Pending" ? "Retry now" : "Resend"}
              </Button>
            )}
          </>
        )
      }
    >
      <Loaded of={delivery} what="The delivery" className="h-40">
        {(shown) => (
          <div className="flex flex-col gap-5">
            <div className="flex flex-wrap items-center gap-2">
              <DeliveryState delivery={shown} />
              <code className="font-mono text-xs wrap-anywhere">{shown.id}</code>
              <CopyButton text={shown.id} label="Copy ID" />
            </div>
            <dl className="grid gap-3 sm:grid-cols-2">
              <DefinitionItem term="Endpoint">
                <TextLink href={href(`/developers/webhooks/${shown.endpointId}`)} className="text-accent font-normal">
                  {shown.url}
                </TextLink>
              </DefinitionItem>
              {shown.player !== null && (
                <DefinitionItem term="Player">
                  <PlayerLink of={shown.player} className="font-normal text-accent" />
                  {" · "}
                  <TextLink
                    href={href(`/developers/events${EVENTS.queryOf({ player: shown.player })}`)}
                    className="text-accent font-normal"
                  >
                    Events
                  </TextLink>
                </DefinitionItem>
              )}
            </dl>
            {held !== null && <Notice tone="neutral">{held}</Notice>}
            {shown.isPurchaseReversed && (
              <Notice tone="warn">The purchase was reversed: the player has the points back, and this still asks for the item.</Notice>
            )}
            {mayChange && shown.resendProblem !== null && <Notice tone="neutral">{shown.resendProblem}</Notice>}
            {mayChange && shown.resendProblem === null && !shown.isEndpointOn && shown.status !== "Held" && (
              <Notice tone="neutral">The endpoint is off. Switch it on to resend this.</Notice>
            )}
            <Attempts delivery={shown} />
            <Part title="Request body">
              <p className="mb-1.5 text-xs text-quiet">Indented here. The signature is over the body as copied.</p>
              <Code text={indented(shown.body)} copied={shown.body} label="Copy body" />
            </Part>
          </div>
        )}
      </Loaded>
    </Sheet>
  );
}
