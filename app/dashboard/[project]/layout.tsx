import type { ReactNode } from "react";
import { requirePerson } from "../../_auth/session.ts";
import { orLeave, serverRpc } from "../../_client/server.tsx";
import { ProjectFrame } from "../../_frame/project-frame.tsx";

/** The frame of a project's screens; a project of somebody else is not found. */
export default async function ProjectLayout({ params, children }: { params: Promise<{ project: string }>; children: ReactNode }) {
  const [{ project }, person, rpc] = await Promise.all([params, requirePerson(), serverRpc()]);
  const place = await orLeave(rpc.projects.place({ project }));
  return (
    <ProjectFrame email={person.email} projects={person.projects} place={place}>
      {children}
    </ProjectFrame>
  );
}
