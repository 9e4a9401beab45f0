"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import { ThemeProvider } from "next-themes";
import type { ReactNode } from "react";
import { Hints } from "./hints.tsx";
import { ToastProvider } from "./toast.tsx";

/** Providers around every page: theme, CSP nonce and toasts. */
export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <ThemeProvider attribute="class" nonce={nonce} disableTransitionOnChange>
      <CSPProvider nonce={nonce}>
        <ToastProvider>{children}</ToastProvider>
        <Hints />
      </CSPProvider>
    </ThemeProvider>
  );
}
