"use client";

import { useMemo, useState } from "react";
import { findLanguages, languageName } from "../../server/kernel/languages.ts";
import { Combobox } from "./combobox.tsx";

interface LanguagePickerProps {
  value: string | null;
  onValueChange(tag: string): void;
  /** Languages that are not offered, as they are there already. */
  except?: readonly string[];
  disabled?: boolean;
  autoFocus?: boolean;
  className?: string;
  "aria-label"?: string;
}

/** A language by its English name, its own name or its code; only codes of known languages can be chosen. */
export function LanguagePicker({ value, onValueChange, except = [], ...rest }: LanguagePickerProps) {
  const [search, setSearch] = useState("");
  const options = useMemo(() => {
    const taken = new Set(except.map((tag) => tag.toLowerCase()));
    const found = findLanguages(search).filter(({ tag }) => !taken.has(tag.toLowerCase()));
    const chosen = value === null || search !== "" || found.some(({ tag }) => tag === value) ? [] : [optionOf(value)];
    return [...chosen, ...found.map(({ tag, own }) => optionOf(tag, own))];
  }, [except, search, value]);
  return (
    <Combobox
      {...rest}
      value={value}
      onValueChange={(tag) => {
        setSearch("");
        if (tag !== null) onValueChange(tag);
      }}
      options={options}
      onSearch={setSearch}
      placeholder="Dutch, nl, nl-BE…"
      emptyText="No such language, or it is there already."
    />
  );
}

const optionOf = (tag: string, own?: string) => {
  const label = languageName(tag);
  return { value: tag, label, hint: own === undefined || own === label ? tag : `${own} · ${tag}` };
};
