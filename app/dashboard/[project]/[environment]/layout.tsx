import { notFound } from "next/navigation";
import type { ReactNode } from "react";

/** There is a Sandbox and Live, and nothing else. */
export default async function EnvironmentLayout({ params, children }: { params: Promise<{ environment: string }>; children: ReactNode }) {
  const { environment } = await params;
  if (environment !== "sandbox" && environment !== "live") notFound();
  return children;
}
