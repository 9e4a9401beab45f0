import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Answers } from "../../client/answers.ts";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { RadioCards } from "../../components/choice.tsx";
import { FormDialog, NewSecret, useDialogProblems } from "../../components/form-dialog.tsx";
import { Checkbox } from "../../components/toggle.tsx";
import { Field, FieldSet, TextInput } from "../../components/inputs.tsx";
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
  const [type, setType] = useState<Channel["type"]>("Slack");
  const [name, setName] = useState(channel?.name ?? "");
  const [url, setUrl] = useState("");
  const [kinds, setKinds] = useState(channel?.kinds ?? NOTICE_KINDS.map(({ kind }) => kind));
  const { at, attempt, setProblems } = useDialogProblems();
  const [secret, setSecret] = useState<string | null>(null);
  const meta = { touches: [orpc.channels.key()] };
  const create = useMutation(orpc.channels.create.mutationOptions({ meta }));
  const edit = useMutation(orpc.channels.edit.mutationOptions({ meta }));

  const save = () =>
    attempt(async () => {
      const wanted = { project, name, kinds };
      if (channel !== undefined) {
        const edited = await edit.mutateAsync({ ...wanted, id: channel.id });
        if (edited.problems.length > 0) return setProblems(edited.problems);
        onClose();
        return toast({ title: "Channel saved" });
      }
      const made = await create.mutateAsync({ ...wanted, type, url: url.trim() });
      if ("problems" in made) return setProblems(made.problems);
      toast(made.isResolved ? { title: "Channel added" } : { title: "Channel added", description: UNRESOLVED, tone: "info" });
      if (made.secret === null) onClose();
      else setSecret(made.secret);
    });

  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={channel ? "Edit channel" : "New channel"}
      submitLabel={channel ? "Save" : "Add channel"}
      isPending={create.isPending || edit.isPending}
      noValidate
      onSubmit={() => void save()}
      problem={at("")}
      once={
        secret === null
          ? null
          : {
              title: "Copy the signing secret",
              content: (
                <NewSecret value={secret} label="Signing secret">
                  Your receiver uses it to verify messages, with any Standard Webhooks library.
                </NewSecret>
              ),
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
            { value: "Signed", label: "Signed webhook", hint: "JSON for your own system, signed by Standard Webhooks." },
          ]}
        />
      )}
      <Field label="Name" error={at("#/name")}>
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
          error={at("#/url")}
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
      <FieldSet label="Notifications" error={at("#/kinds")}>
        {NOTICE_KINDS.map(({ kind, label }) => (
          <Checkbox
            key={kind}
            label={label}
            checked={kinds.includes(kind)}
            onCheckedChange={(isChosen) => setKinds(isChosen ? [...kinds, kind] : kinds.filter((one) => one !== kind))}
          />
        ))}
      </FieldSet>
    </FormDialog>
  );
}
