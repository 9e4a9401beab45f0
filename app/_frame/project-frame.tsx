"use client";

import { useParams } from "next/navigation";
import type { ReactNode } from "react";
import { endSession } from "../_auth/actions.ts";
import type { DashboardClient } from "../../server/api/dashboard.ts";
import { WhereProvider } from "../_client/where.tsx";
import { Frame } from "./frame.tsx";

interface ProjectFrameProps {
  email: string;
  projects: { slug: string; name: string }[];
  place: Awaited<ReturnType<DashboardClient["projects"]["place"]>>;
  children: ReactNode;
}

/** Screens of the project as a whole stand beside its Sandbox: it is where people work. */
export function ProjectFrame({ email, projects, place, children }: ProjectFrameProps) {
  const environment = useParams<{ environment?: string }>().environment === "live" ? "live" : "sandbox";
  const { project, projectName, now } = place;
  return (
    <WhereProvider place={{ ...place, environment, now: now[environment] }}>
      <Frame
        email={email}
        projects={projects}
        project={{ slug: project, name: projectName }}
        environment={environment}
        signOut={endSession}
      >
        {children}
      </Frame>
    </WhereProvider>
  );
}
