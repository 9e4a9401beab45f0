"use client";

import { Check, Copy, Eye, EyeOff } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button, IconButton } from "./button.tsx";
import { cx } from "./classes.ts";

/** Copies a text, and confirms it for a moment. */
export function CopyButton({
  text,
  label = "Copy",
  hasWords = false,
  className,
}: {
  text: string;
  label?: string;
  hasWords?: boolean;
  className?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), 1_500);
  };
  const icon = isCopied ? <Check className="text-good" aria-hidden /> : <Copy aria-hidden />;
  const said = isCopied ? "Copied" : label;
  return hasWords ? (
    <Button size="sm" icon={icon} onClick={() => void copy()} className={className}>
      {said}
    </Button>
  ) : (
    <IconButton size="sm" label={said} icon={icon} onClick={() => void copy()} className={className} />
  );
}

/** Text to copy as it is shown, or with the value behind it. */
export function Code({
  text,
  copied = text,
  label = "Copy",
  className,
}: {
  text: string;
  copied?: string;
  label?: string;
  className?: string;
}) {
  return (
    <div className={cx("flex min-w-0 items-start rounded-lg border border-line bg-raised", className)}>
      {/* A long line is scrolled beside the button, not under it; the keyboard has to reach it. */}
      <pre tabIndex={0} className="min-w-0 flex-1 overflow-x-auto rounded-l-lg py-3 pl-3.5 font-mono text-xs leading-relaxed">
        <code>{text}</code>
      </pre>
      <CopyButton text={copied} label={label} className="m-1.5" />
    </div>
  );
}

/** A secret that is shown once: masked until revealed, and copied without revealing it. */
export function Secret({ value, label = "Secret" }: { value: string; label?: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="flex items-center gap-1 rounded-lg border border-line bg-raised py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 font-mono text-xs break-all" aria-label={label}>
        {isShown ? value : "•".repeat(Math.min(value.length, 32))}
      </code>
      <IconButton
        size="sm"
        label={isShown ? "Hide" : "Show"}
        icon={isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        onClick={() => setShown(!isShown)}
      />
      <CopyButton text={value} label={`Copy ${label.toLowerCase()}`} />
    </div>
  );
}
