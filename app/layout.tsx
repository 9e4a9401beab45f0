import "@fontsource-variable/inter/index.css";
import "@fontsource-variable/jetbrains-mono/index.css";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { publicAddress } from "../server/process/base-url.ts";
import { Providers } from "../web/components/providers.tsx";
import "./globals.css";

const description = "Missions, points, a shop, leaderboards and streaks for the players of your product.";

export function generateMetadata(): Metadata {
  return {
    metadataBase: new URL(publicAddress()),
    title: { default: "Engagement service", template: "%s · Engagement service" },
    description,
    manifest: "/manifest.webmanifest",
    icons: { apple: "/apple-touch-icon.png" },
    openGraph: { type: "website", siteName: "Engagement service", description, images: [{ url: "/social.png", width: 1200, height: 630 }] },
    twitter: { card: "summary_large_image" },
  };
}

/**
 * The content policy has a new nonce with every request (proxy.ts), so no page can be made ahead of one. Without this the build
 * tries to: it begins every page, and finds no service behind them.
 */
export const dynamic = "force-dynamic";

export const viewport: Viewport = { colorScheme: "light dark" };

export default async function Layout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    // The theme is set before the first paint, by a script that changes this element.
    <html lang="en" suppressHydrationWarning>
      <body>
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  );
}
