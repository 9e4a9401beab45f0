import { notFound } from "next/navigation";
import type { ReactNode } from "react";

/** Sandbox and Live are the only environments. */
export default async function EnvironmentLayout({ params, children }: { params: Promise<{ environment: string }>; children: ReactNode }) {
  const { environment } = await params;
  if (environment !== "sandbox" && environment !== "live") notFound();
  return children;
}
