import { Compass } from "lucide-react";
import { LinkButton } from "../_components/button.tsx";
import { EmptyState } from "../_components/surface.tsx";

export default function DashboardNotFound() {
  return (
    <EmptyState
      isPage
      className="min-h-[60vh] justify-center"
      icon={<Compass aria-hidden />}
      title="There is nothing here"
      action={<LinkButton href="/dashboard">Go to the dashboard</LinkButton>}
    >
      It was moved or never was, or it belongs to a project that you take no part in. Somebody who does can invite you.
    </EmptyState>
  );
}
