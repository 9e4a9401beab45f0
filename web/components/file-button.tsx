import { Upload } from "lucide-react";
import { type ComponentProps, useRef } from "react";
import { Button } from "./button.tsx";

interface FileButtonProps extends Pick<ComponentProps<typeof Button>, "variant" | "icon" | "isPending" | "disabled" | "children"> {
  /** Accessible name. */
  label: string;
  /** Extensions and types, as in HTML's `accept`. */
  accept: string;
  onChoose(file: File): unknown;
}

export function FileButton({ label, accept, onChoose, icon = <Upload />, children, ...button }: FileButtonProps) {
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
          // Allows choosing the same file again after it was changed.
          target.value = "";
        }}
      />
      <Button {...button} icon={icon} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
