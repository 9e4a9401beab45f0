import type { ReactNode } from "react";
import { useWhere } from "../client/service.tsx";
import { EnvironmentBadge } from "../components/environment-badge.tsx";
import { Page } from "../components/page.tsx";
import { Notice } from "../components/surface.tsx";
import { LinkTabs } from "../components/tabs.tsx";

interface DevelopersPageProps {
  actions?: ReactNode;
  /** The actions that only Admins have; other roles see a notice. */
  ofAdmins?: string;
  children: ReactNode;
}

/** Frame of the developer pages, with an environment badge: keys and endpoints belong to one. */
export function DevelopersPage({ actions, ofAdmins, children }: DevelopersPageProps) {
  const { href, environment, can } = useWhere();
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
      {ofAdmins !== undefined && !can("Admin") && (
        <Notice tone="neutral" className="mb-4">
          Only Admins and Owners can {ofAdmins}.
        </Notice>
      )}
      {children}
    </Page>
  );
}
