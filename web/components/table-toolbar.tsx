"use client";

import { Search } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { cx } from "./classes.ts";
import { TextInput } from "./inputs.tsx";

/** Search and filters above a table. */
export function TableToolbar({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cx("flex flex-wrap items-center gap-2 border-b border-line p-2.5", className)}>{children}</div>;
}

/** Debounced search input. */
export function SearchInput({
  value,
  onValueChange,
  label,
  className = "w-full min-w-40 sm:w-64",
}: {
  value: string;
  onValueChange(value: string): void;
  label: string;
  className?: string;
}) {
  const [text, setText] = useState(value);
  const [told, setTold] = useState(value);
  if (told !== value) {
    setTold(value);
    setText(value);
  }
  useEffect(() => {
    if (text === told) return;
    const timer = setTimeout(() => {
      setTold(text);
      onValueChange(text);
    }, 200);
    return () => clearTimeout(timer);
  }, [text, told, onValueChange]);
  return (
    <div className={className}>
      <TextInput
        type="search"
        value={text}
        onValueChange={setText}
        aria-label={label}
        placeholder={label}
        prefix={<Search aria-hidden />}
        autoComplete="off"
      />
    </div>
  );
}
