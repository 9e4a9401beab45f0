import { useState } from "react";
import { TextInput } from "../../components/inputs.tsx";
import { KIND_SCREENS } from "../kinds/index.ts";
import type { Text } from "#server/model/kernel/texts.ts";
import { keyFrom } from "../document/text.ts";
import { useAuthoring, useMember } from "../form/authoring.tsx";
import { FormField, Section } from "../form/form-field.tsx";
import { ImagesField } from "./images-field.tsx";
import { TextField } from "./text-field.tsx";

interface IdentityProps {
  hasDescription?: boolean;
  hasImages?: boolean;
  namePlaceholder?: string;
}

/** Name, key, description and images of a definition. The key is derived from the name until edited. */
export function Identity({ hasDescription = true, hasImages = true, namePlaceholder }: IdentityProps) {
  const { kind, isNew } = useAuthoring();
  const { one } = KIND_SCREENS[kind];
  const [name, setName] = useMember<Text>("name");
  const [key, setKey] = useMember<string>("key");
  const [about, setAbout] = useMember<Text | null>("description");
  // A copy's key is derived from the original's.
  const [isKeyOwn, setKeyOwn] = useState(key !== "");
  const rename = (next: Text) => {
    setName(next);
    if (isNew && !isKeyOwn) setKey(keyFrom(next.texts[next.default] ?? ""));
  };
  return (
    <Section title="Details">
      <TextField at={["name"]} label="Name" value={name} onValueChange={rename} required placeholder={namePlaceholder} />
      {isNew ? (
        <FormField at={["key"]} label="Key" required hint={`What your code calls this ${one}. Can't be changed later.`}>
          <TextInput
            value={key}
            onValueChange={(next) => {
              setKeyOwn(next !== "");
              setKey(next);
            }}
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-[0.8125rem]"
          />
        </FormField>
      ) : (
        <FormField at={["key"]} label="Key">
          <TextInput value={key} onValueChange={() => {}} readOnly className="font-mono text-[0.8125rem]" />
        </FormField>
      )}
      {hasDescription && (
        <TextField
          at={["description"]}
          label="Description"
          value={about}
          onValueChange={setAbout}
          optional
          isLong
          hint="Shown to players."
        />
      )}
      {hasImages && <ImagesField />}
    </Section>
  );
}
