"use client";

import { useParams } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { endSession } from "../auth/actions.ts";
import type { DashboardClient } from "../../server/api/dashboard.ts";
import type { EnvironmentKind } from "../../server/model/kernel/environment.ts";
import { WhereProvider } from "../client/where.tsx";
import { ClockNotice } from "./clock-notice.tsx";
import { Frame } from "./frame.tsx";
import { rememberPlace } from "./last-place.ts";

interface ProjectFrameProps {
  email: string;
  projects: { slug: string; name: string }[];
  place: Awaited<ReturnType<DashboardClient["projects"]["place"]>>;
  /** The last place in this project. */
  lastEnvironment: EnvironmentKind;
  children: ReactNode;
}

/** Project-wide screens keep the environment that the user came from. */
export function ProjectFrame({ email, projects, place, lastEnvironment, children }: ProjectFrameProps) {
  const named = useParams<{ environment?: string }>().environment;
  const [environment, setEnvironment] = useState(lastEnvironment);
  if ((named === "live" || named === "sandbox") && named !== environment) setEnvironment(named);
  const { project, projectName, now } = place;
  useEffect(() => rememberPlace({ project, environment }), [project, environment]);
  return (
    <WhereProvider
      place={{ ...place, environment, now: now[environment], clockAheadMs: Date.parse(now[environment]) - Date.parse(now.live) }}
    >
      <Frame
        email={email}
        projects={projects}
        project={{ slug: project, name: projectName }}
        environment={environment}
        signOut={endSession}
      >
        {named !== undefined && <ClockNotice />}
        {children}
      </Frame>
    </WhereProvider>
  );
}
