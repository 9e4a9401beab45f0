import { useState } from "react";
import type { Role } from "#server/model/kernel/environment.ts";
import { orpc, rpc, useWhere } from "../../client/service.tsx";
import { Field, TextInput } from "../../components/inputs.tsx";
import { FormDialog, useSave } from "../../components/form-dialog.tsx";
import { NewSecret } from "../../components/shown-once.tsx";
import { BoundsFields, boundsInput, firstBounds } from "./bounds.tsx";

interface Props {
  onClose(): void;
  /** Roles that the token may have, the highest first. */
  roles: readonly Role[];
}

/** Creates a token with its limits, then shows it once. */
export function NewTokenDialog({ onClose, roles }: Props) {
  const { project } = useWhere();
  const [name, setName] = useState("");
  const [bounds, setBounds] = useState(() => firstBounds(roles));
  const [made, setMade] = useState<string | null>(null);
  const save = useSave({ touches: [orpc.tokens.key()] }, async () => {
    const answer = await rpc.tokens.create({ project, name, ...boundsInput(bounds) });
    if ("problems" in answer) return answer.problems;
    setMade(answer.token);
  });
  return (
    <FormDialog
      onClose={onClose}
      title="New token"
      submitLabel="Create token"
      save={save}
      once={
        made !== null && {
          title: "Copy the token",
          content: (
            <NewSecret value={made} label="Token">
              Store it with your other secrets: anyone who has it can act as you.
            </NewSecret>
          ),
        }
      }
    >
      <Field label="Name" hint="Changes made with the token are in the audit log under this name and yours." at="#/name">
        <TextInput value={name} onValueChange={setName} placeholder="Continuous integration" autoComplete="off" autoFocus maxLength={200} />
      </Field>
      <BoundsFields bounds={bounds} onBoundsChange={setBounds} roles={roles} roleHint="Never more than your own role at the time." />
    </FormDialog>
  );
}
