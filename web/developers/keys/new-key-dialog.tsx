import type { Opened } from "../../components/overlay.tsx";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Field, TextInput } from "../../components/inputs.tsx";
import { FormDialog, NewSecret } from "../../components/form-dialog.tsx";
import { problemOf } from "../../components/problems.tsx";

export function NewKeyDialog({ open, onOpenChange, onCreated }: Opened & { onCreated?(key: string): void }) {
  const { scope, environment } = useWhere();
  const [name, setName] = useState("");
  const create = useMutation(
    orpc.keys.create.mutationOptions({ onSuccess: ({ key }) => onCreated?.(key), meta: { touches: [orpc.keys.key()] } }),
  );
  const change = (isOpen: boolean) => {
    onOpenChange(isOpen);
    if (isOpen) return;
    setName("");
    create.reset();
  };
  const where = environment === "live" ? "Live" : "the Sandbox";
  return (
    <FormDialog
      open={open}
      onOpenChange={change}
      title={`New API key for ${where}`}
      submitLabel="Create key"
      isPending={create.isPending}
      onSubmit={() => create.mutate({ ...scope, name })}
      once={
        create.data && {
          title: "Copy the key",
          content: (
            <NewSecret value={create.data.key} label="API key">
              Store it with your other secrets, never in an app or a web page: it gives full access to {where}.
            </NewSecret>
          ),
        }
      }
    >
      <Field
        label="Name"
        hint="For example, the system that uses it. Two keys can share a name while one replaces the other."
        error={create.isError ? problemOf(create.error) : undefined}
      >
        <TextInput value={name} onValueChange={setName} placeholder="Shop backend" autoComplete="off" autoFocus maxLength={200} />
      </Field>
    </FormDialog>
  );
}
