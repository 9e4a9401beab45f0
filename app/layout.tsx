import "@fontsource-variable/inter/index.css";
import "@fontsource-variable/jetbrains-mono/index.css";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { publicAddress } from "../server/process/base-url.ts";
import { Providers } from "../web/components/providers.tsx";
import "./globals.css";

const description = "Missions, points, a shop, leaderboards and streaks for the players of your product.";

export const generateMetadata = (): Metadata => ({
  metadataBase: new URL(publicAddress()),
  title: { default: "Engagement service", template: "%s · Engagement service" },
  description,
  manifest: "/manifest.webmanifest",
  icons: { apple: "/apple-touch-icon.png" },
  openGraph: { type: "website", siteName: "Engagement service", description, images: [{ url: "/social.png", width: 1200, height: 630 }] },
  twitter: { card: "summary_large_image" },
});

/**
 * The content security policy has a new nonce per request (proxy.ts), so pages cannot be prerendered. Without this the build would try, and
 * find no service.
 */
export const dynamic = "force-dynamic";

export const viewport: Viewport = { colorScheme: "light dark" };

export default async function Layout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    // A script sets the theme on this element before the first paint.
    <html lang="en" suppressHydrationWarning>
      <body>
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  );
}
