"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import { ThemeProvider } from "next-themes";
import type { ReactNode } from "react";
import { ToastProvider } from "./toast.tsx";

/** What every page stands in: the theme, the nonce for what the parts write into the page, and the toasts. */
export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <ThemeProvider attribute="class" nonce={nonce} disableTransitionOnChange>
      <CSPProvider nonce={nonce}>
        <Tooltip.Provider delay={400}>
          <ToastProvider>{children}</ToastProvider>
        </Tooltip.Provider>
      </CSPProvider>
    </ThemeProvider>
  );
}
