import { useState } from "react";
import { type Answers, orpc, rpc, useWhere } from "../../client/service.tsx";
import { RadioCards } from "../../components/choice.tsx";
import { CheckboxSet } from "../../components/checkbox-set.tsx";
import { FormDialog, useSave } from "../../components/form-dialog.tsx";
import { Field, TextInput } from "../../components/inputs.tsx";
import { SigningSecret } from "../../components/shown-once.tsx";
import { useToast } from "../../components/toast.tsx";
import { NOTICE_KINDS } from "../notices/words.ts";

export type Channel = Answers["channels"]["list"]["channels"][number];

const UNRESOLVED = "Its host name does not resolve yet. Messages fail until it does.";

interface Props {
  /** Left out for a new one. */
  channel?: Channel;
  onClose(): void;
}

/** Adds a channel, or edits its name and kinds. The secret of a new signed webhook is shown once. */
export function ChannelDialog({ channel, onClose }: Props) {
  const { project } = useWhere();
  const toast = useToast();
  // As the form found it: the list is read again meanwhile.
  const [revision] = useState(channel?.revision ?? null);
  const [type, setType] = useState<Channel["type"]>("Slack");
  const [name, setName] = useState(channel?.name ?? "");
  const [url, setUrl] = useState("");
  const [kinds, setKinds] = useState(channel?.kinds ?? NOTICE_KINDS.map(({ kind }) => kind));
  const [secret, setSecret] = useState<string | null>(null);
  const save = useSave({ touches: [orpc.channels.key()] }, async () => {
    const wanted = { project, name, kinds };
    if (channel !== undefined) {
      const { problems } = await rpc.channels.edit({ ...wanted, id: channel.id, revision });
      if (problems.length > 0) return problems;
      onClose();
      toast({ title: "Channel saved" });
    } else {
      const made = await rpc.channels.create({ ...wanted, type, url: url.trim() });
      if ("problems" in made) return made.problems;
      toast(made.isResolved ? { title: "Channel added" } : { title: "Channel added", description: UNRESOLVED, tone: "info" });
      if (made.secret === null) onClose();
      else setSecret(made.secret);
    }
  });

  return (
    <FormDialog
      onClose={onClose}
      title={channel ? "Edit channel" : "New channel"}
      submitLabel={channel ? "Save" : "Add channel"}
      save={save}
      noValidate
      once={
        secret !== null && {
          title: "Copy the signing secret",
          content: <SigningSecret value={secret} of="messages" />,
        }
      }
    >
      {channel === undefined && (
        <RadioCards<Channel["type"]>
          label="Type"
          value={type}
          onValueChange={setType}
          options={[
            {
              value: "Slack",
              label: "Slack",
              hint: "An incoming webhook of Slack, or of a compatible service such as Mattermost.",
            },
            { value: "Signed", label: "Signed webhook", hint: "JSON for your own system, signed as in Standard Webhooks." },
          ]}
        />
      )}
      <Field label="Name" at="#/name">
        <TextInput value={name} onValueChange={setName} placeholder="#engagement-alerts" maxLength={100} autoComplete="off" />
      </Field>
      {channel === undefined && (
        <Field
          label="URL"
          hint={
            type === "Slack"
              ? "It works like a password, so it is stored encrypted and not shown again."
              : "Receives a POST and must answer within 10 seconds."
          }
          at="#/url"
        >
          <TextInput
            type="url"
            value={url}
            onValueChange={setUrl}
            placeholder={type === "Slack" ? "https://hooks.slack.com/services/…" : "https://example.com/notifications"}
            autoComplete="off"
          />
        </Field>
      )}
      <CheckboxSet
        label="Notifications"
        at="#/kinds"
        values={kinds}
        onValuesChange={setKinds}
        options={NOTICE_KINDS.map(({ kind, label }) => ({ value: kind, label }))}
      />
    </FormDialog>
  );
}
