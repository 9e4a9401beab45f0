"use client";

import { type ReactNode, useId, useState } from "react";
import type { Role } from "#server/model/kernel/roles.ts";
import { rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Button } from "../../components/button.tsx";
import { RadioCards, Segmented } from "../../components/choice.tsx";
import { Field } from "../../components/field.tsx";
import { TextInput } from "../../components/inputs.tsx";
import { Dialog } from "../../components/overlay.tsx";
import { ROLE_WORDS } from "../roles.ts";
import type { Link } from "./link-dialog.tsx";
import { type MembersList, useMembers } from "./use-members.ts";

type Scope = "organization" | "project";

interface InviteDialogProps {
  mayInvite: MembersList["mayInvite"];
  onClose(): void;
  onLink(link: Link): void;
}

export function InviteDialog({ mayInvite, onClose, onLink }: InviteDialogProps) {
  const { project } = useWhere();
  const act = useMembers();
  const form = useId();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("Editor");
  const [scope, setScope] = useState<Scope>("project");
  const [problem, setProblem] = useState<string>();
  const [isPending, setPending] = useState(false);
  const roles = mayInvite[scope];

  const invite = async () => {
    setPending(true);
    await act(async () => {
      const answer = await rpc.members.invite({ project, email, role, scope });
      if ("problems" in answer) return setProblem(answer.problems[0]?.message);
      onClose();
      onLink({ ...answer, kind: "invitation" });
    });
    setPending(false);
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Invite a member"
      description="They get a link to create an account, or to join with the one they have."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} isPending={isPending}>
            Create invitation
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void invite();
        }}
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
              setProblem(undefined);
            }}
          />
        </Field>
        {mayInvite.organization.length > 0 && (
          <Choice label="Access">
            <Segmented<Scope>
              label="Access"
              value={scope}
              onValueChange={setScope}
              options={[
                { value: "project", label: "This project only" },
                { value: "organization", label: "All projects" },
              ]}
            />
          </Choice>
        )}
        <Choice label="Role">
          <RadioCards<Role>
            label="Role"
            value={role}
            onValueChange={setRole}
            options={roles.map((value) => ({ value, label: value, hint: ROLE_WORDS[value].hint }))}
          />
        </Choice>
      </form>
    </Dialog>
  );
}

/** A radio group under a heading: a field would give all radios its own label. */
const Choice = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex flex-col gap-1.5">
    <span className="text-[0.8125rem] font-medium" aria-hidden>
      {label}
    </span>
    {children}
  </div>
);
