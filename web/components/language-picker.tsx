import { useMemo, useState } from "react";
import { findLanguages, languageName } from "../../server/model/kernel/languages.ts";
import { Combobox, type ComboboxProps } from "./combobox.tsx";

interface LanguagePickerProps extends Pick<ComboboxProps, "value" | "disabled" | "autoFocus" | "className" | "aria-label"> {
  onValueChange(tag: string): void;
  /** Languages to leave out because they exist already. */
  except?: readonly string[];
}

/** A language by English name, native name or code; only known codes can be chosen. */
export function LanguagePicker({ value, onValueChange, except = [], ...rest }: LanguagePickerProps) {
  const [search, setSearch] = useState("");
  const options = useMemo(() => {
    const taken = new Set(except.map((tag) => tag.toLowerCase()));
    return findLanguages(search)
      .filter(({ tag }) => !taken.has(tag.toLowerCase()))
      .map(({ tag, name, own }) => ({ value: tag, label: name, hint: own === name ? tag : `${own} · ${tag}` }));
  }, [except, search]);
  return (
    <Combobox
      {...rest}
      value={value}
      valueLabel={value === null ? undefined : languageName(value)}
      onValueChange={(tag) => {
        setSearch("");
        if (tag !== null) onValueChange(tag);
      }}
      options={options}
      onSearch={setSearch}
      placeholder="Dutch, nl, nl-BE…"
      emptyText={except.length > 0 ? "No such language, or already added." : "No such language."}
    />
  );
}
