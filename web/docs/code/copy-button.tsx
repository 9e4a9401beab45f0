"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useRef, useState } from "react";

/** Copies the code of the surrounding figure. */
export function CopyButton({ what }: { what: string }) {
  const [isCopied, setCopied] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);

  async function copy() {
    const code = button.current?.closest("figure")?.querySelector("pre");
    if (!code) return;
    try {
      await navigator.clipboard.writeText(code.textContent ?? "");
      setCopied(true);
    } catch {
      // Insecure contexts have no clipboard API: the code is selected for manual copying.
      window.getSelection()?.selectAllChildren(code);
    }
  }

  return (
    <button
      ref={button}
      type="button"
      onClick={() => void copy()}
      className="ml-auto flex items-center gap-1.5 rounded-md px-2 py-1 text-quiet hover:bg-sunken hover:text-ink"
    >
      {isCopied ? <Check aria-hidden className="size-3.5 text-good" /> : <Copy aria-hidden className="size-3.5" />}
      <span aria-live="polite">{isCopied ? "Copied" : "Copy"}</span>
      <span className="sr-only">{` ${what.toLowerCase()}`}</span>
    </button>
  );
}
