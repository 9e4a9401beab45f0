"use client";

import { useRef } from "react";
import { useCopied } from "../../components/copied.tsx";

const BUTTON = "flex items-center gap-1.5 rounded-md px-2 py-1 hover:bg-sunken hover:text-ink";

/** Copies the code of the surrounding figure. */
export function CopyCode({ what }: { what: string }) {
  const { isCopied, copy, sign } = useCopied();
  const button = useRef<HTMLButtonElement>(null);
  async function copyFigure() {
    const code = button.current?.closest("figure")?.querySelector("pre");
    // Where the browser refuses, the code is selected for manual copying.
    if (code && !(await copy(code.textContent ?? ""))) window.getSelection()?.selectAllChildren(code);
  }
  return (
    <button ref={button} type="button" onClick={() => void copyFigure()} className={`ml-auto text-quiet ${BUTTON}`}>
      {sign}
      <span aria-live="polite">{isCopied ? "Copied" : "Copy"}</span>
      <span className="sr-only">{` ${what.toLowerCase()}`}</span>
    </button>
  );
}

/** Copies the page as Markdown, for an assistant or an issue; beside it a link to the same text. */
export function CopyMarkdown({ href }: { href: string }) {
  const { isCopied, setCopied, sign } = useCopied();
  const address = `${href}.md`;
  async function copy() {
    try {
      // Safari allows clipboard writes only during the click, so the text is passed as a promise.
      const text = fetch(address).then(async (answer) => (answer.ok ? answer.blob() : Promise.reject(new Error(answer.statusText))));
      const plain = text.then((blob) => new Blob([blob], { type: "text/plain" }));
      await navigator.clipboard.write([new ClipboardItem({ "text/plain": plain })]);
      setCopied(true);
    } catch {
      // Insecure contexts have no clipboard API: the text is opened for manual copying.
      location.assign(address);
    }
  }
  return (
    <span className="flex shrink-0 items-center text-xs text-quiet">
      <button type="button" onClick={() => void copy()} className={BUTTON}>
        {sign}
        <span aria-live="polite">{isCopied ? "Copied" : "Copy as Markdown"}</span>
      </button>
      <a href={address} className="rounded-md px-2 py-1 hover:bg-sunken hover:text-ink max-sm:hidden">
        View
        <span className="sr-only"> as Markdown</span>
      </a>
    </span>
  );
}
