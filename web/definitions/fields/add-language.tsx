import { Languages } from "lucide-react";
import { useState } from "react";
import { lazily } from "../../components/lazily.tsx";

/** Loaded once it is shown. */
export const LanguagePicker = lazily(() => import("../../components/language-picker.tsx").then((loaded) => loaded.LanguagePicker));

export function AddLanguage({ known, onAdd }: { known: readonly string[]; onAdd(tag: string): void }) {
  const [isOpen, setOpen] = useState(false);
  const [isLeft, setLeft] = useState(false);
  const leave = () => {
    setOpen(false);
    setLeft(true);
  };
  if (!isOpen) {
    return (
      <button
        type="button"
        // The focus returns from the picker that Escape closed.
        autoFocus={isLeft}
        onClick={() => {
          setLeft(false);
          setOpen(true);
        }}
        className="flex min-h-6 items-center gap-1 rounded text-xs text-quiet hover:text-ink"
      >
        <Languages className="size-3.5" />
        Add a language
      </button>
    );
  }
  return (
    // Escape closes the open list first; once closed, the key arrives here.
    <div className="w-52" onKeyDown={({ key }) => key === "Escape" && leave()}>
      <LanguagePicker
        autoFocus
        aria-label="Language to add"
        value={null}
        except={known}
        onValueChange={(tag) => {
          onAdd(tag);
          setOpen(false);
        }}
      />
    </div>
  );
}
