import type { Metadata } from "next";
import { EntranceCard } from "#web/auth/entrance-card.tsx";
import { HOME } from "#web/auth/paths.ts";
import { requirePerson } from "#web/auth/session.ts";
import type { Parameters } from "#web/client/address.ts";
import { LinkButton } from "#web/components/button.tsx";
import { pairingCode } from "#server/model/tokens/token.ts";
import { ApproveForm } from "#web/auth/command-line/approve-form.tsx";
import { loginRequestFrom } from "#web/auth/command-line/request.ts";

export const metadata: Metadata = { title: "Command line", referrer: "no-referrer" };

/** Approves `engagement login`: the user compares the code, limits the token and lets the program in. */
export default async function CommandLinePage({ searchParams }: { searchParams: Promise<Parameters> }) {
  const request = loginRequestFrom(await searchParams);
  const { email, projects } = await requirePerson();
  if (request === null || projects.length === 0) {
    return (
      <EntranceCard
        title={request === null ? "This link is incomplete" : "You have no project yet"}
        description={
          request === null
            ? "Open the whole link that “engagement login” printed in your terminal."
            : "A token is for one project. Create a project first, or ask to be invited to one; then log in again."
        }
      >
        <LinkButton href={HOME} className="h-9 w-full">
          Go to the dashboard
        </LinkButton>
      </EntranceCard>
    );
  }
  return (
    <EntranceCard
      title="Log in on the command line"
      description="A program asks for a token that acts as you. Approve it only if you have just started it, and your terminal shows this code:"
      aside={`You are signed in as ${email}.`}
    >
      <ApproveForm request={request} code={pairingCode(request.hash)} projects={projects} />
    </EntranceCard>
  );
}
