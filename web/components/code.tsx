"use client";

import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { IconButton } from "./button.tsx";
import { useCopied } from "./copied.tsx";
import { cx } from "./classes.ts";

interface CopyProps {
  text: string;
  label?: string;
  className?: string;
}

/** Copies a text, and confirms it for a moment. */
export function CopyButton({ text, label = "Copy", className }: CopyProps) {
  const { isCopied, copy, sign } = useCopied();
  return <IconButton size="sm" label={isCopied ? "Copied" : label} icon={sign} onClick={() => void copy(text)} className={className} />;
}

/** Text to copy as it is shown, or with the value behind it. */
export const Code = ({ text, copied = text, label = "Copy", className }: CopyProps & { copied?: string }) => (
  <div className={cx("flex min-w-0 items-start rounded-lg border border-line bg-raised", className)}>
    {/* A long line scrolls beside the button, not under it. It takes the focus, so that the keyboard can scroll it. */}
    <pre tabIndex={0} className="min-w-0 flex-1 overflow-x-auto rounded-l-lg py-3 pl-3.5 font-mono text-xs leading-relaxed">
      <code>{text}</code>
    </pre>
    <CopyButton text={copied} label={label} className="m-1.5" />
  </div>
);

/** A text from another system, wrapped and as it came, in a scrolling box. */
export const Excerpt = ({ label, children }: { label: string; children: string }) => (
  <pre
    tabIndex={0}
    role="region"
    aria-label={label}
    className="max-h-72 overflow-auto rounded-lg border border-line bg-raised p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
  >
    {children}
  </pre>
);

/** A secret that is shown once: masked until revealed, and copied without revealing it. */
export function Secret({ value, label = "Secret" }: { value: string; label?: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="flex items-center gap-1 rounded-lg border border-line bg-raised py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 font-mono text-xs break-all" aria-label={label}>
        {isShown ? value : "•".repeat(Math.min(value.length, 32))}
      </code>
      <IconButton size="sm" label={isShown ? "Hide" : "Show"} icon={isShown ? <EyeOff /> : <Eye />} onClick={() => setShown(!isShown)} />
      <CopyButton text={value} label={`Copy ${label.toLowerCase()}`} />
    </div>
  );
}

/** JSON text, complete or truncated, with line breaks between members; numbers stay verbatim. */
export function indented(body: string): string {
  let depth = 0;
  return body.replaceAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]/g, (token, at: number) => {
    const next = body[at + 1];
    if (token === ":") return ": ";
    if (token === ",") return `,\n${"  ".repeat(depth)}`;
    if (token === "{" || token === "[") return next === "}" || next === "]" ? token : `${token}\n${"  ".repeat(++depth)}`;
    if (token === "}" || token === "]") return body[at - 1] === "{" || body[at - 1] === "[" ? token : `\n${"  ".repeat(--depth)}${token}`;
    return token;
  });
}
