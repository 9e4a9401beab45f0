import Link from "next/link";
import { requirePerson } from "#web/auth/session.ts";
import { orLeave, serverRpc } from "#web/client/server.tsx";
import { Page } from "#web/components/page.tsx";
import { EmptyState } from "#web/components/surface.tsx";
import { Outside } from "#web/shell/outside.tsx";
import { NewProjectForm } from "#web/settings/new-project/new-project-form.tsx";

export const metadata = { title: "New project" };

export default async function NewProjectPage() {
  const [rpc, { projects }] = await Promise.all([serverRpc(), requirePerson()]);
  const organizations = await orLeave(rpc.projects.organizations());
  return (
    <Outside hasProjects={projects.length > 0}>
      <Page
        title="New project"
        description="A project has a Sandbox to try things in and a Live environment for your players, each with its own keys, definitions and players."
        width="narrow"
      >
        {organizations.length > 0 ? (
          <NewProjectForm organizations={organizations} hasProjects={projects.length > 0} />
        ) : (
          <EmptyState title="Only Owners and Admins of the whole organization can create projects">
            {projects.length > 0 ? (
              <>
                Ask one of them, or go back to{" "}
                <Link href="/dashboard" className="underline underline-offset-2">
                  your projects
                </Link>
                .
              </>
            ) : (
              "Ask one of them to invite you to a project."
            )}
          </EmptyState>
        )}
      </Page>
    </Outside>
  );
}
