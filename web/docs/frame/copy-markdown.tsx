"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";

/** How long the confirmation is shown. */
const SAID_MS = 2_000;

/** Copies the page as Markdown, for an assistant or an issue; beside it a link to the same text. */
export function CopyMarkdown({ href }: { href: string }) {
  const [isCopied, setCopied] = useState(false);
  const address = `${href}.md`;

  async function copy() {
    try {
      // Safari allows clipboard writes only during the click, so the text is passed as a promise.
      const text = fetch(address).then(async (answer) => (answer.ok ? answer.blob() : Promise.reject(new Error(answer.statusText))));
      const plain = text.then((blob) => new Blob([blob], { type: "text/plain" }));
      await navigator.clipboard.write([new ClipboardItem({ "text/plain": plain })]);
    } catch {
      // Insecure contexts have no clipboard API: the text is opened for manual copying.
      location.assign(address);
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), SAID_MS);
  }

  return (
    <span className="flex shrink-0 items-center text-xs text-quiet">
      <button
        type="button"
        onClick={() => void copy()}
        className="flex items-center gap-1.5 rounded-md px-2 py-1 hover:bg-sunken hover:text-ink"
      >
        {isCopied ? <Check aria-hidden className="size-3.5 text-good" /> : <Copy aria-hidden className="size-3.5" />}
        <span aria-live="polite">{isCopied ? "Copied" : "Copy as Markdown"}</span>
      </button>
      <a href={address} className="rounded-md px-2 py-1 hover:bg-sunken hover:text-ink max-sm:hidden">
        View
        <span className="sr-only"> as Markdown</span>
      </a>
    </span>
  );
}
