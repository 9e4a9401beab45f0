import { useState } from "react";
import { orpc, rpc, useWhere } from "../../client/service.tsx";
import { Field, TextInput } from "../../components/inputs.tsx";
import { FormDialog, useSave } from "../../components/form-dialog.tsx";
import { NewSecret } from "../../components/shown-once.tsx";

export function NewKeyDialog({ onClose, onCreated }: { onClose(): void; onCreated?(key: string): void }) {
  const { scope, environment } = useWhere();
  const [name, setName] = useState("");
  const [made, setMade] = useState<string | null>(null);
  const save = useSave({ touches: [orpc.keys.key()] }, async () => {
    const { key } = await rpc.keys.create({ ...scope, name });
    setMade(key);
    onCreated?.(key);
  });
  const where = environment === "live" ? "Live" : "the Sandbox";
  return (
    <FormDialog
      onClose={onClose}
      title={`New API key for ${where}`}
      submitLabel="Create key"
      // The name is the only field, so every refusal is about it.
      save={{ ...save, problems: save.problems.map(({ message }) => ({ pointer: "#/name", message })) }}
      once={
        made !== null && {
          title: "Copy the key",
          content: (
            <NewSecret value={made} label="API key">
              Store it with your other secrets, never in an app or a web page: it gives full access to {where}.
            </NewSecret>
          ),
        }
      }
    >
      <Field label="Name" hint="For example, the system that uses it. Two keys can share a name while one replaces the other." at="#/name">
        <TextInput value={name} onValueChange={setName} placeholder="Shop backend" autoComplete="off" autoFocus maxLength={200} />
      </Field>
    </FormDialog>
  );
}
