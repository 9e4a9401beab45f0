"use client";

import { ServerCrash } from "lucide-react";
import { Button } from "../../web/components/button.tsx";
import { EmptyState } from "../../web/components/surface.tsx";

/** Unexpected errors: retrying is safe. Next's `reset` would render the answer that failed once more, without another request. */
export default function DashboardError({ retry }: { retry(): void }) {
  return (
    <EmptyState isPage icon={<ServerCrash />} title="This page could not be shown" action={<Button onClick={retry}>Try again</Button>}>
      Something went wrong while it loaded; the service's log says why. What you saved is safe.
    </EmptyState>
  );
}
