"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import { ThemeProvider } from "next-themes";
import { type ReactNode, useEffect, useState } from "react";
import { lazily } from "./lazily.tsx";
import { ToastProvider } from "./toast.tsx";
import type { Hint } from "./hint-popup.tsx";

/**
 * Providers around every page: theme, CSP nonce and toasts. Without `disableTransitionOnChange`: it also acts on every load, where it makes
 * the browser compute all styles twice more.
 */
export const Providers = ({ nonce, children }: { nonce: string | undefined; children: ReactNode }) => (
  <ThemeProvider attribute="class" nonce={nonce}>
    <CSPProvider nonce={nonce}>
      <ToastProvider>{children}</ToastProvider>
      <Hints />
    </CSPProvider>
  </ThemeProvider>
);

/** The tooltip code is loaded with the first hint. A page is complete without one. */
const HintPopup = lazily(() => import("./hint-popup.tsx").then((loaded) => loaded.HintPopup), { failed: () => null });

const DELAY_MS = 350;

/**
 * Tooltips on hover and keyboard focus, from an element's `data-hint`. One for the whole page, so that elements need only the attribute.
 */
function Hints() {
  const [hint, setHint] = useState<Hint | null>(null);
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (event: Event) => {
      const anchor = event.target instanceof Element ? event.target.closest("[data-hint]") : null;
      clearTimeout(timer);
      if (anchor === null) return setHint(null);
      timer = setTimeout(() => {
        const words = anchor.getAttribute("data-hint");
        HintPopup.preload();
        setWanted(true);
        setHint(words && anchor.isConnected ? { anchor, words } : null);
      }, DELAY_MS);
    };
    const hide = () => {
      clearTimeout(timer);
      setHint(null);
    };
    const onOver = (event: PointerEvent) => event.pointerType !== "touch" && show(event);
    const onFocus = (event: FocusEvent) => event.target instanceof Element && event.target.matches(":focus-visible") && show(event);
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && hide();
    const heard = [
      ["pointerover", onOver],
      ["focusin", onFocus],
      ["focusout", hide],
      ["pointerdown", hide],
      ["keydown", onKey],
      ["scroll", hide],
    ] as [string, EventListener][];
    for (const [name, listener] of heard) document.addEventListener(name, listener, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      for (const [name, listener] of heard) document.removeEventListener(name, listener, { capture: true });
    };
  }, []);
  return isWanted && <HintPopup hint={hint} />;
}
