"use client";

import { Languages } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "../../_components/button.tsx";
import { languageName } from "../document/pointers.ts";

const COMMON = "ar bg cs da de el en es et fi fr ga hr hu it ja ko lt lv mt nb nl nl-BE pl pt pt-BR ro sk sl sv tr uk zh".split(" ");
const TAG = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/;

/** Asks for a language that is not there yet, by its tag. */
export function AddLanguage({ known, onAdd }: { known: readonly string[]; onAdd(tag: string): void }) {
  const [isOpen, setOpen] = useState(false);
  const [tag, setTag] = useState("");
  const listId = useId();
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
    onAdd(tag);
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
