"use client";

import { Languages } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Button } from "../../_components/button.tsx";
import { TextArea, TextInput } from "../../_components/inputs.tsx";
import { Badge } from "../../_components/surface.tsx";
import type { Text } from "../../../server/kernel/texts.ts";
import { isBlank, languagesOf, textOf } from "../document/text.ts";
import { languageName, type Path } from "../document/pointers.ts";
import { useAuthoring } from "../form/authoring.tsx";
import { Place, PlaceGroup, Spot } from "../form/place.tsx";

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

/** A text in the project's languages, side by side: the default first, what is missing marked. */
export function TextField({ at, label, value, onValueChange, isLong = false, placeholder, ...rest }: TextFieldProps) {
  const { languages, catalogue } = useAuthoring();
  const text = textOf(value, catalogue.language);
  const tags = languagesOf(text, languages);
  const write = (tag: string, words: string) => onValueChange({ ...text, texts: { ...text.texts, [tag]: words } });
  const Control = isLong ? TextArea : TextInput;
  const [first = text.default, ...others] = tags;
  const Around = others.length === 0 ? Place : PlaceGroup;
  return (
    <Around {...rest} at={at} label={label} isDeep={others.length === 0} aside={<AddLanguage known={tags} />}>
      <div className={others.length === 0 ? "" : "grid gap-2 sm:grid-cols-2"}>
        <Spot at={others.length === 0 ? [...at, "texts"] : [...at, "texts", first]} isSilent={others.length === 0}>
          {others.length > 0 && <Language tag={first} isDefault />}
          <Control
            lang={first}
            aria-label={others.length === 0 ? undefined : `${label} in ${languageName(first)}`}
            value={text.texts[first] ?? ""}
            onValueChange={(words) => write(first, words)}
            placeholder={placeholder}
          />
        </Spot>
        {others.map((tag) => (
          <Spot key={tag} at={[...at, "texts", tag]}>
            <Language tag={tag} isMissing={!isBlank(text) && (text.texts[tag] ?? "").trim() === ""} />
            <Control
              lang={tag}
              aria-label={`${label} in ${languageName(tag)}`}
              value={text.texts[tag] ?? ""}
              onValueChange={(words) => write(tag, words)}
              placeholder={text.texts[first] ?? ""}
            />
          </Spot>
        ))}
      </div>
    </Around>
  );
}

function Language({ tag, isDefault, isMissing }: { tag: string; isDefault?: boolean; isMissing?: boolean }) {
  return (
    <span className="flex h-5 items-center gap-2 text-xs text-quiet">
      {languageName(tag)}
      {isDefault && <span className="text-faint">Default</span>}
      {isMissing && <Badge tone="warn">Missing</Badge>}
    </span>
  );
}

const COMMON = "ar bg cs da de el en es et fi fr ga hr hu it ja ko lt lv mt nb nl nl-BE pl pt pt-BR ro sk sl sv tr uk zh".split(" ");
const TAG = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/;

function AddLanguage({ known }: { known: readonly string[] }) {
  const { addLanguage, isReadOnly } = useAuthoring();
  const [isOpen, setOpen] = useState(false);
  const [tag, setTag] = useState("");
  const listId = useId();
  if (isReadOnly) return null;
  if (!isOpen) {
    return (
      <button type="button" onClick={() => setOpen(true)} className="flex items-center gap-1 rounded text-xs text-quiet hover:text-ink">
        <Languages className="size-3.5" aria-hidden />
        Add a language
      </button>
    );
  }
  const isKnown = known.some((one) => one.toLowerCase() === tag.toLowerCase());
  const add = () => {
    if (!TAG.test(tag) || isKnown) return;
    addLanguage(tag);
    setOpen(false);
    setTag("");
  };
  return (
    <span className="flex items-center gap-1.5">
      <input
        autoFocus
        list={listId}
        aria-label="Language, such as nl or nl-BE"
        placeholder="nl, nl-BE, …"
        value={tag}
        onChange={({ target }) => setTag(target.value.trim())}
        onKeyDown={(event) => {
          if (event.key === "Enter") add();
          if (event.key === "Escape") setOpen(false);
          if (event.key === "Enter" || event.key === "Escape") event.preventDefault();
        }}
        className="h-7 w-28 rounded-md border border-line-strong bg-paper px-2 text-[0.8125rem]"
      />
      <datalist id={listId}>
        {COMMON.filter((one) => !known.includes(one)).map((one) => (
          <option key={one} value={one}>
            {languageName(one)}
          </option>
        ))}
      </datalist>
      <Button size="sm" onClick={add} disabled={!TAG.test(tag) || isKnown}>
        Add
      </Button>
    </span>
  );
}
