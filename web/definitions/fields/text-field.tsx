import type { ReactNode } from "react";
import { TextArea, TextInput } from "../../components/inputs.tsx";
import { Badge } from "../../components/surface.tsx";
import { canonicalLanguage, languageName } from "#server/model/kernel/languages.ts";
import type { Text } from "#server/model/kernel/texts.ts";
import { isBlank, languagesOf, textOf } from "../document/text.ts";
import type { Path } from "#server/model/rules/finding.ts";
import { useAuthoring } from "../form/authoring.tsx";
import { AddLanguage } from "./add-language.tsx";
import { FormField, FormFieldGroup, InlineField } from "../form/form-field.tsx";

interface TextFieldProps {
  at: Path;
  label: string;
  value: Text | null | undefined;
  onValueChange(value: Text): void;
  hint?: ReactNode;
  required?: boolean;
  optional?: boolean;
  isLong?: boolean;
  placeholder?: string;
}

/** A text in the project's languages, side by side: the default first, missing ones marked. */
export function TextField({ at, label, value, onValueChange, isLong = false, placeholder, ...rest }: TextFieldProps) {
  const { languages, catalogue, addLanguage, isReadOnly } = useAuthoring();
  const text = textOf(value, catalogue.language);
  const tags = languagesOf(text, languages);
  const write = (tag: string, words: string) => onValueChange({ ...text, texts: { ...text.texts, [tag]: words } });
  const Control = isLong ? TextArea : TextInput;
  const [first = text.default, ...others] = tags;
  const Around = others.length === 0 ? FormField : FormFieldGroup;
  return (
    <Around
      {...rest}
      at={at}
      label={label}
      isDeep={others.length === 0}
      aside={!isReadOnly && <AddLanguage known={tags} onAdd={addLanguage} />}
    >
      <div className={others.length === 0 ? "" : "grid gap-2 sm:grid-cols-2"}>
        <InlineField at={others.length === 0 ? [...at, "texts"] : [...at, "texts", first]} isSilent={others.length === 0}>
          {others.length > 0 && <Language tag={first} isDefault />}
          <Control
            lang={canonicalLanguage(first) ?? undefined}
            dir="auto"
            aria-label={others.length === 0 ? undefined : `${label} in ${languageName(first)}`}
            value={text.texts[first] ?? ""}
            onValueChange={(words) => write(first, words)}
            placeholder={placeholder}
          />
        </InlineField>
        {others.map((tag) => (
          <InlineField key={tag} at={[...at, "texts", tag]}>
            <Language tag={tag} isMissing={!isBlank(text) && (text.texts[tag] ?? "").trim() === ""} />
            <Control
              lang={canonicalLanguage(tag) ?? undefined}
              dir="auto"
              aria-label={`${label} in ${languageName(tag)}`}
              value={text.texts[tag] ?? ""}
              onValueChange={(words) => write(tag, words)}
              placeholder={text.texts[first] ?? ""}
            />
          </InlineField>
        ))}
      </div>
    </Around>
  );
}

const Language = ({ tag, isDefault, isMissing }: { tag: string; isDefault?: boolean; isMissing?: boolean }) => (
  <span className="flex h-5 items-center gap-2 text-xs text-quiet">
    {languageName(tag)}
    {isDefault && <span className="text-faint">Default</span>}
    {isMissing && <Badge tone="warn">Missing</Badge>}
  </span>
);
