import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";

/** Copies a text; false: the browser refused. On plain http only the older way is there. */
async function copyText(text: string): Promise<boolean> {
  if ("clipboard" in navigator)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  const onCopy = (event: ClipboardEvent) => {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
  };
  addEventListener("copy", onCopy, { once: true });
  const isCopied = document.execCommand("copy");
  removeEventListener("copy", onCopy);
  return isCopied;
}

/** Whether something was just copied, and its icon. `copy` copies a text, and says whether the browser let it. */
export function useCopied() {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return {
    isCopied,
    setCopied,
    async copy(text: string) {
      const isDone = await copyText(text);
      setCopied(isDone);
      return isDone;
    },
    sign: isCopied ? <Check className="size-3.5 text-good" /> : <Copy className="size-3.5" />,
  };
}
