"use client";

import { ServerCrash } from "lucide-react";
import { Button } from "../../web/components/button.tsx";
import { EmptyState } from "../../web/components/surface.tsx";

/** Unexpected errors: retrying is safe. */
export default function DashboardError({ reset }: { error: Error; reset(): void }) {
  return (
    <EmptyState isPage icon={<ServerCrash />} title="This page could not be shown" action={<Button onClick={reset}>Try again</Button>}>
      Something went wrong while it loaded; the service's log says why. What you saved is safe.
    </EmptyState>
  );
}
