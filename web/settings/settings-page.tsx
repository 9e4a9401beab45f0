"use client";

import { useWhere } from "../client/where.tsx";
import { EnvironmentBadge } from "../components/environment-badge.tsx";
import { Page } from "../components/page.tsx";
import { ArchiveProject } from "./archive-project.tsx";
import { Clock } from "./clock.tsx";
import { Currency } from "./currency.tsx";
import { Discovery } from "./discovery.tsx";
import { ProjectSettings } from "./project-settings.tsx";
import { Retention } from "./retention.tsx";
import { Reset } from "./reset.tsx";

/** Settings of an environment and its project. */
export function SettingsPage() {
  const { environment } = useWhere();
  return (
    <Page
      title="Settings"
      aside={<EnvironmentBadge environment={environment} />}
      description="The project's name, language and time zone apply to both environments, everything else to this one only."
      width="narrow"
    >
      <div className="flex flex-col gap-4">
        <ProjectSettings />
        <Discovery />
        <Currency />
        <Clock />
        <Retention />
        <Reset />
        <ArchiveProject />
      </div>
    </Page>
  );
}
