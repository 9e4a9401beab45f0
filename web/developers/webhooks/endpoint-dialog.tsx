import { useRouter } from "next/navigation";
import { useState } from "react";
import { orpc, rpc, useWhere } from "../../client/service.tsx";
import { CheckboxSet } from "../../components/checkbox-set.tsx";
import { Field, TextInput } from "../../components/inputs.tsx";
import { FormDialog, useSave } from "../../components/form-dialog.tsx";
import { SigningSecret } from "../../components/shown-once.tsx";
import { Notice } from "../../components/surface.tsx";
import { useToast } from "../../components/toast.tsx";
import type { ShownEndpoint } from "./endpoint-state.tsx";

interface Props {
  onClose(): void;
  /** All subscribable events. */
  events: { event: string; summary: string; isExclusive: boolean }[];
  /** The edited endpoint; left out for a new one. */
  endpoint?: ShownEndpoint;
}

/** URL and subscriptions of an endpoint; a new one then shows its secret once. */
export function EndpointDialog({ onClose, events, endpoint }: Props) {
  const { scope, href } = useWhere();
  const router = useRouter();
  const toast = useToast();
  // As the form found it: the list is read again meanwhile.
  const [revision] = useState(endpoint?.revision ?? null);
  const [url, setUrl] = useState(endpoint?.url ?? "");
  const [chosen, setChosen] = useState<string[]>(endpoint?.events ?? []);
  const [made, setMade] = useState<{ id: string; secret: string; isResolved: boolean } | null>(null);
  const close = () => {
    onClose();
    if (made) router.push(href(`/developers/webhooks/${made.id}`));
  };
  const save = useSave({ touches: [orpc.webhooks.key()] }, async () => {
    const wanted = { ...scope, url: url.trim(), events: chosen };
    if (endpoint === undefined) {
      const added = await rpc.webhooks.create(wanted);
      return "problems" in added ? added.problems : setMade(added);
    }
    const saved = await rpc.webhooks.edit({ ...wanted, id: endpoint.id, revision });
    if ("problems" in saved) return saved.problems;
    onClose();
    toast(saved.isResolved ? { title: "Endpoint saved" } : { title: "Endpoint saved", description: UNRESOLVED, tone: "info" });
  });

  return (
    <FormDialog
      onClose={close}
      title={endpoint ? "Edit endpoint" : "New webhook endpoint"}
      submitLabel={endpoint ? "Save" : "Add endpoint"}
      save={save}
      noValidate
      once={
        made && {
          title: "Copy the signing secret",
          content: (
            <>
              <SigningSecret value={made.secret} of="webhooks" />
              {!made.isResolved && <Notice tone="warn">{UNRESOLVED}</Notice>}
            </>
          ),
        }
      }
    >
      <Field label="URL" hint="Receives a POST and must answer within 15 seconds." at="#/url">
        <TextInput
          type="url"
          value={url}
          onValueChange={setUrl}
          placeholder="https://example.com/webhooks"
          autoComplete="off"
          autoFocus={!endpoint}
        />
      </Field>
      <CheckboxSet
        label="Events"
        at="#/events"
        values={chosen}
        onValuesChange={setChosen}
        options={events.map(({ event, summary, isExclusive }) => ({
          value: event,
          label: <code className="font-mono text-xs">{event}</code>,
          hint: isExclusive ? `${summary}. Only one endpoint of an environment can receive it.` : `${summary}.`,
        }))}
      />
    </FormDialog>
  );
}

const UNRESOLVED = "Its host name does not resolve yet. Deliveries fail until it does.";
