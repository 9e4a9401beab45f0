"use client";

import { Upload } from "lucide-react";
import { type ComponentProps, useRef } from "react";
import { Button } from "./button.tsx";

interface FileButtonProps extends Pick<ComponentProps<typeof Button>, "variant" | "icon" | "isPending" | "disabled" | "children"> {
  /** What is chosen; said to who cannot see it. */
  label: string;
  /** Endings and types, as HTML has them. */
  accept: string;
  onChoose(file: File): unknown;
}

/** A button that lets a person choose a file of theirs. */
export function FileButton({ label, accept, onChoose, icon = <Upload aria-hidden />, children, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        aria-label={label}
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) onChoose(file);
          // The same file may be chosen again after it was changed.
          target.value = "";
        }}
      />
      <Button {...button} icon={icon} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
