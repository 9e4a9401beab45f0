import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";

/** Whether something was just copied, and its icon. */
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
    sign: isCopied ? <Check className="size-3.5 text-good" /> : <Copy className="size-3.5" />,
  };
}
