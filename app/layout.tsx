import type { Metadata, Viewport } from "next";
import { connection } from "next/server";
import type { ReactNode } from "react";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Engagement service", template: "%s · Engagement service" },
  description: "Missions, points and rewards for the players of your product.",
};

export const viewport: Viewport = { colorScheme: "light dark" };

export default async function Layout({ children }: { children: ReactNode }) {
  // The content policy has a new nonce with every request, so no page can be made ahead of one.
  await connection();
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
