import { Ellipsis, KeyRound, Pencil, Power, Trash2 } from "lucide-react";
import { useState } from "react";
import { instantInWords } from "#server/model/kernel/dates.ts";
import { useOpenAfter } from "../../client/leaving.ts";
import { orpc, rpc, useAttempt, useWhere } from "../../client/service.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { ConfirmDialog, dialogOnceOpen, Menu } from "../../components/overlay.tsx";
import { ShownOnce, SigningSecret } from "../../components/shown-once.tsx";
import { useToast } from "../../components/toast.tsx";
import { countInWords, deliveriesInWords, rotationInWords, type ShownEndpoint } from "./endpoint-state.tsx";

const EndpointDialog = dialogOnceOpen(() => import("./endpoint-dialog.tsx").then((loaded) => loaded.EndpointDialog));

interface Props {
  endpoint: ShownEndpoint;
  events: { event: string; summary: string; isExclusive: boolean }[];
}

export function EndpointActions({ endpoint, events }: Props) {
  const { scope, href, timeZone } = useWhere();
  const { open } = useOpenAfter();
  const toast = useToast();
  const attempt = useAttempt(orpc.webhooks.key());
  const [asked, setAsked] = useState<"edit" | "rotate" | "off" | "on" | "delete" | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const { id, isOn, held, previousSecretUntil } = endpoint;
  const one = { ...scope, id };

  const doing = <T,>(run: () => Promise<T>): Promise<T> => attempt("The change failed", run);
  const switchTo = (to: boolean) =>
    doing(async () => {
      await rpc.webhooks.switch({ ...one, isOn: to });
      const undo = { label: "Undo", onSelect: () => void switchTo(!to).catch(() => {}) };
      toast({ title: to ? "Endpoint switched on" : "Endpoint switched off", action: undo });
    });
  const switchOn = () => (held > 0 ? setAsked("on") : void switchTo(true).catch(() => {}));
  const dialog = (which: typeof asked) => ({ open: asked === which, onOpenChange: (open: boolean) => setAsked(open ? which : null) });

  return (
    <>
      <Button icon={<Pencil />} opens={EndpointDialog} onClick={() => setAsked("edit")}>
        Edit
      </Button>
      <Menu
        trigger={<IconButton variant="secondary" label="More" icon={<Ellipsis />} />}
        items={[
          { label: "Rotate secret", icon: <KeyRound />, onSelect: () => setAsked("rotate") },
          isOn
            ? { label: "Switch off", icon: <Power />, onSelect: () => setAsked("off") }
            : { label: "Switch on", icon: <Power />, onSelect: switchOn },
          { label: "Delete", icon: <Trash2 />, isDanger: true, isApart: true, onSelect: () => setAsked("delete") },
        ]}
      />
      {asked === "edit" && <EndpointDialog onClose={() => setAsked(null)} events={events} endpoint={endpoint} />}
      <ConfirmDialog
        {...dialog("rotate")}
        title="Rotate signing secret?"
        confirmLabel="Rotate secret"
        isDanger={previousSecretUntil !== null}
        onConfirm={() => doing(async () => setSecret((await rpc.webhooks.rotateSecret(one)).secret))}
      >
        {rotationInWords(previousSecretUntil === null ? null : instantInWords(previousSecretUntil, timeZone))}
      </ConfirmDialog>
      <ConfirmDialog
        {...dialog("off")}
        title="Switch off the endpoint?"
        confirmLabel="Switch off"
        isDanger
        onConfirm={() => switchTo(false)}
      >
        Nothing is sent while the endpoint is off. Pending and new deliveries are held and sent, oldest first, when it is switched on again.
        Held deliveries expire after 30 days.
      </ConfirmDialog>
      <ConfirmDialog {...dialog("on")} title="Switch on the endpoint?" confirmLabel="Switch on" onConfirm={() => switchTo(true)}>
        {held === 1 ? "1 held delivery goes" : `${countInWords(held)} held deliveries go`} out immediately, oldest first and at most eight
        at a time. To send new events only, discard the held deliveries first.
      </ConfirmDialog>
      <ConfirmDialog
        {...dialog("delete")}
        title="Delete the endpoint?"
        confirmLabel="Delete endpoint"
        isDanger
        onConfirm={() =>
          doing(async () => {
            await rpc.webhooks.delete(one);
            toast({ title: "Endpoint deleted" });
            open(href("/developers/webhooks"));
          })
        }
      >
        Pending deliveries to {endpoint.url} fail
        {held > 0 && `, ${deliveriesInWords(held)} that ${held === 1 ? "is" : "are"} held for it included`}, and its secret stops working.
        This cannot be undone.
      </ConfirmDialog>
      <ShownOnce open={secret !== null} title="Copy the new secret" onDone={() => setSecret(null)}>
        {secret !== null && <SigningSecret value={secret} of="webhooks" />}
      </ShownOnce>
    </>
  );
}
