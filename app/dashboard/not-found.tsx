import { Compass } from "lucide-react";
import { LinkButton } from "../../web/components/button.tsx";
import { EmptyState } from "../../web/components/surface.tsx";

export default function DashboardNotFound() {
  return (
    <EmptyState isPage icon={<Compass />} title="Page not found" action={<LinkButton href="/dashboard">Go to the dashboard</LinkButton>}>
      It was moved or deleted, or it belongs to a project you are not a member of. An Admin or Owner of that project can invite you.
    </EmptyState>
  );
}
