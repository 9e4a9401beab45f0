"use client";

import { Ellipsis, KeyRound, Pencil, Power, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAttempt } from "../_client/attempt.ts";
import { orpc, rpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import { Button, IconButton } from "../_components/button.tsx";
import { ConfirmDialog, Dialog, Menu } from "../_components/overlay.tsx";
import { useToast } from "../_components/toast.tsx";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { countInWords, deliveriesInWords, type ShownEndpoint } from "./endpoint-state.tsx";
import { SigningSecret } from "./signing-secret.tsx";

interface Props {
  endpoint: ShownEndpoint;
  events: { event: string; summary: string; isExclusive: boolean }[];
}

/** What an Admin does with an endpoint. */
export function EndpointActions({ endpoint, events }: Props) {
  const { scope, href } = useWhere();
  const router = useRouter();
  const toast = useToast();
  const attempt = useAttempt(orpc.webhooks.key());
  const [asked, setAsked] = useState<"edit" | "rotate" | "off" | "on" | "delete" | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const { id, isOn, held } = endpoint;
  const one = { ...scope, id };

  const doing = <T,>(run: () => Promise<T>): Promise<T> => attempt("That did not work", run);
  const switchTo = (to: boolean) =>
    doing(async () => {
      await rpc.webhooks.switch({ ...one, isOn: to });
      const undo = { label: "Undo", onSelect: () => void switchTo(!to).catch(() => {}) };
      toast({ title: to ? "The endpoint is on" : "The endpoint is off", action: undo });
    });
  const switchOn = () => (held > 0 ? setAsked("on") : void switchTo(true).catch(() => {}));
  const dialog = (which: typeof asked) => ({ open: asked === which, onOpenChange: (open: boolean) => setAsked(open ? which : null) });

  return (
    <>
      <Button icon={<Pencil aria-hidden />} onClick={() => setAsked("edit")}>
        Change
      </Button>
      <Menu
        trigger={<IconButton variant="secondary" label="More" icon={<Ellipsis aria-hidden />} />}
        items={[
          { label: "Rotate the secret", icon: <KeyRound aria-hidden />, onSelect: () => setAsked("rotate") },
          isOn
            ? { label: "Switch off", icon: <Power aria-hidden />, onSelect: () => setAsked("off") }
            : { label: "Switch on", icon: <Power aria-hidden />, onSelect: switchOn },
          { label: "Delete", icon: <Trash2 aria-hidden />, isDanger: true, isApart: true, onSelect: () => setAsked("delete") },
        ]}
      />
      <EndpointDialog key={`${endpoint.url} ${endpoint.events.join()}`} {...dialog("edit")} events={events} endpoint={endpoint} />
      <ConfirmDialog
        {...dialog("rotate")}
        title="Rotate the signing secret?"
        confirmLabel="Make a new secret"
        onConfirm={() => doing(async () => setSecret((await rpc.webhooks.rotateSecret(one)).secret))}
      >
        A new secret is made and shown once. For 24 hours webhooks carry both signatures, so that your receiver can change over without
        missing one.
      </ConfirmDialog>
      <ConfirmDialog
        {...dialog("off")}
        title="Switch the endpoint off?"
        confirmLabel="Switch off"
        isDanger
        onConfirm={() => switchTo(false)}
      >
        Nothing is sent to it any more. What waits for it and what happens while it is off is held: it goes out once the endpoint is on
        again, the oldest first. What was held for 30 days is given up.
      </ConfirmDialog>
      <ConfirmDialog {...dialog("on")} title="Switch the endpoint on?" confirmLabel="Switch on" onConfirm={() => switchTo(true)}>
        {held === 1 ? "1 held delivery goes" : `${countInWords(held)} held deliveries go`} out at once, the oldest first and at most eight
        at a time. If your system should only be told of what happens from now on, discard what is held first.
      </ConfirmDialog>
      <ConfirmDialog
        {...dialog("delete")}
        title="Delete the endpoint?"
        confirmLabel="Delete endpoint"
        isDanger
        onConfirm={() =>
          doing(async () => {
            await rpc.webhooks.delete(one);
            toast({ title: "The endpoint is deleted" });
            router.push(href("/developers/webhooks"));
          })
        }
      >
        What is still to be sent to {endpoint.url} fails
        {held > 0 && `, ${deliveriesInWords(held)} that ${held === 1 ? "is" : "are"} held for it included`}, and its secret is worth
        nothing. This cannot be undone.
      </ConfirmDialog>
      <Dialog
        open={secret !== null}
        onOpenChange={(open) => !open && setSecret(null)}
        title="Copy the new secret now"
        footer={
          <Button variant="primary" onClick={() => setSecret(null)}>
            I have kept it
          </Button>
        }
      >
        {secret !== null && <SigningSecret secret={secret} />}
      </Dialog>
    </>
  );
}
