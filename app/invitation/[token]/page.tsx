import type { Metadata } from "next";
import Link from "next/link";
import { acceptWithNewAccount } from "#web/auth/actions.ts";
import { EntranceCard } from "#web/auth/entrance-card.tsx";
import { AcceptForm, NewPasswordForm } from "#web/auth/forms.tsx";
import { HOME, signInPath } from "#web/auth/paths.ts";
import { ProviderButtons } from "#web/auth/provider-buttons.tsx";
import { currentPerson } from "#web/auth/session.ts";
import { dashboard } from "#web/client/dashboard.ts";
import { LinkButton } from "#web/components/button.tsx";
import { ROLE_WORDS } from "#web/settings/roles.ts";

// The URL contains the secret: no referrer, no indexing.
export const metadata: Metadata = { title: "Invitation", robots: { index: false }, referrer: "no-referrer" };

export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const { signInService } = dashboard();
  const [invitation, person] = await Promise.all([signInService.invitation(token), currentPerson()]);
  if (invitation === null) {
    return (
      <EntranceCard
        title="This invitation is no longer valid"
        description="It has expired, has been used or was withdrawn. Ask the person who invited you for a new link."
      >
        <LinkButton href={HOME} className="h-9 w-full">
          {person === null ? "Sign in" : "Go to the dashboard"}
        </LinkButton>
      </EntranceCard>
    );
  }
  const { email, role, liveRole, invitedBy, organization, project, hasAccount } = invitation;
  const name = project ?? organization;
  const description = (
    <>
      {invitedBy} invites <strong className="font-medium text-ink">{email}</strong> to take part{" "}
      {project === null ? "in all projects of the organization" : "in this project"}. {ROLE_WORDS[role].invited}
    </>
  );
  const title = `Join ${name} as ${liveRole === null ? role : `${role}, and ${liveRole} in Live`}`;
  const here = `/invitation/${token}`;
  if (person !== null) {
    return (
      <EntranceCard title={title} description={description} aside={`You are signed in as ${person.email}.`}>
        <AcceptForm token={token} email={person.email} />
      </EntranceCard>
    );
  }
  if (hasAccount) {
    return (
      <EntranceCard title={title} description={description}>
        <LinkButton href={signInPath(here)} variant="primary" className="h-9 w-full">
          Sign in to accept
        </LinkButton>
      </EntranceCard>
    );
  }
  const aside = (
    <>
      Have an account with another address?{" "}
      <Link href={signInPath(here)} className="underline underline-offset-2 hover:text-ink">
        Sign in with it
      </Link>
    </>
  );
  return (
    <EntranceCard title={title} description={description} aside={aside}>
      <ProviderButtons from={HOME} />
      <NewPasswordForm action={acceptWithNewAccount} token={token} email={email} label="Create the account and join" />
    </EntranceCard>
  );
}
