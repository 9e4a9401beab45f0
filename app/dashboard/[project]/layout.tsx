import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { requirePerson } from "#web/auth/session.ts";
import { orLeave, serverRpc } from "#web/client/server.tsx";
import { LAST_PLACE, lastEnvironmentFrom } from "#web/shell/last-environment.ts";
import { ProjectFrame } from "#web/shell/project-frame.tsx";

/** The frame of a project's screens; 404 for projects of other people. */
export default async function ProjectLayout({ params, children }: { params: Promise<{ project: string }>; children: ReactNode }) {
  const [{ project }, person, rpc, jar] = await Promise.all([params, requirePerson(), serverRpc(), cookies()]);
  const last = lastEnvironmentFrom(jar.get(LAST_PLACE)?.value);
  const place = await orLeave(rpc.projects.place({ project }));
  return (
    <ProjectFrame
      email={person.email}
      projects={person.projects}
      place={place}
      lastEnvironment={last?.project === place.project ? last.environment : "sandbox"}
    >
      {children}
    </ProjectFrame>
  );
}
