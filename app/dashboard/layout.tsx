import type { Metadata } from "next";
import type { ReactNode } from "react";
import { requirePerson } from "../../web/auth/session.ts";
import { QueryProvider } from "../../web/client/query.tsx";

export const metadata: Metadata = { title: { default: "Dashboard", template: "%s · Dashboard" }, robots: { index: false } };

/** Everything under /dashboard requires a signed-in user. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { email } = await requirePerson();
  return <QueryProvider person={email}>{children}</QueryProvider>;
}
