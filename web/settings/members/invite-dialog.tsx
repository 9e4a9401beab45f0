import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { lowerInLive, type Role, withLive } from "#server/model/kernel/roles.ts";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { ChoiceField, choices, RadioCards, Segmented } from "../../components/choice.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { Field, TextInput } from "../../components/inputs.tsx";
import { Select } from "../../components/select.tsx";
import { liveOptions, ROLE_WORDS } from "../roles.ts";
import type { MadeLink } from "./link-dialog.tsx";
import type { MembersList } from "./rows.tsx";

type Scope = "organization" | "project";

interface InviteDialogProps {
  mayInvite: MembersList["mayInvite"];
  /** Whether the invitation is mailed. */
  canMail: boolean;
  onClose(): void;
  onLink(link: MadeLink): void;
}

export function InviteDialog({ mayInvite, canMail, onClose, onLink }: InviteDialogProps) {
  const { project } = useWhere();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("Editor");
  const [live, setLive] = useState<Role | null>(null);
  const [scope, setScope] = useState<Scope>("project");
  const roles = mayInvite[scope];

  const invite = useMutation(
    orpc.members.invite.mutationOptions({
      onSuccess(answer) {
        if ("problems" in answer) return;
        onClose();
        onLink({ ...answer, kind: "invitation" });
      },
      meta: { failure: "The change failed", touches: [orpc.members.key()] },
    }),
  );
  const problem = invite.data && "problems" in invite.data ? invite.data.problems[0]?.message : undefined;

  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Invite a member"
      description="They get a link to create an account, or to join with the one they have."
      submitLabel={canMail ? "Send invitation" : "Create link"}
      isPending={invite.isPending}
      onSubmit={() => invite.mutate({ project, email, ...withLive(role, live), scope })}
    >
      <Field label="Email address" error={problem}>
        <TextInput
          type="email"
          required
          autoFocus
          autoComplete="off"
          placeholder="ann@example.com"
          value={email}
          onValueChange={(value) => {
            setEmail(value);
            if (problem !== undefined) invite.reset();
          }}
        />
      </Field>
      {mayInvite.organization.length > 0 && (
        <ChoiceField label="Access">
          <Segmented<Scope>
            label="Access"
            value={scope}
            onValueChange={setScope}
            options={choices({ project: "This project only", organization: "All projects" })}
          />
        </ChoiceField>
      )}
      <ChoiceField label="Role">
        <RadioCards<Role>
          label="Role"
          value={role}
          onValueChange={setRole}
          options={roles.map((value) => ({ value, label: value, hint: ROLE_WORDS[value].hint }))}
        />
      </ChoiceField>
      {lowerInLive(role).length > 0 && (
        <Field label="Role in Live">
          <Select<Role> value={withLive(role, live).liveRole ?? role} options={liveOptions(role)} onValueChange={setLive} />
        </Field>
      )}
    </FormDialog>
  );
}
