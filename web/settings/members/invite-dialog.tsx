import { useState } from "react";
import { lowerInLive, type Role, withLive } from "#server/model/kernel/environment.ts";
import { orpc, rpc, useWhere } from "../../client/service.tsx";
import { ChoiceField, choices, RadioCards, Segmented } from "../../components/choice.tsx";
import { FormDialog, useSave } from "../../components/form-dialog.tsx";
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

  const save = useSave({ touches: [orpc.members.key()] }, async () => {
    const answer = await rpc.members.invite({ project, email, ...withLive(role, live), scope });
    if ("problems" in answer) return answer.problems;
    onClose();
    onLink({ ...answer, kind: "invitation" });
  });

  return (
    <FormDialog
      onClose={onClose}
      title="Invite a member"
      description="They get a link to create an account, or to join with the one they have."
      submitLabel={canMail ? "Send invitation" : "Create link"}
      save={save}
    >
      <Field label="Email address" at="#/email">
        <TextInput
          type="email"
          required
          autoFocus
          autoComplete="off"
          placeholder="ann@example.com"
          value={email}
          onValueChange={setEmail}
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
