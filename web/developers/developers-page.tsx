"use client";

import type { ReactNode } from "react";
import { useWhere } from "../client/where.tsx";
import { EnvironmentBadge } from "../components/environment-badge.tsx";
import { Page } from "../components/page.tsx";
import { LinkTabs } from "../components/tabs.tsx";

/** Frame of the developer pages, with an environment badge: keys and endpoints belong to one. */
export function DevelopersPage({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const { href, environment } = useWhere();
  return (
    <Page
      title="Developers"
      aside={<EnvironmentBadge environment={environment} />}
      description="API keys, webhooks, events and requests of this environment."
      actions={actions}
    >
      <LinkTabs
        label="Developers"
        items={[
          { label: "API keys", href: href("/developers") },
          { label: "Webhooks", href: href("/developers/webhooks") },
          { label: "Deliveries", href: href("/developers/deliveries") },
          { label: "Quarantine", href: href("/developers/quarantine") },
          { label: "Events", href: href("/developers/events") },
          { label: "Requests", href: href("/developers/requests") },
          { label: "Quickstart", href: href("/developers/quickstart") },
        ]}
      />
      {children}
    </Page>
  );
}
