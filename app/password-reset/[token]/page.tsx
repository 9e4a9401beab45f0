import type { Metadata } from "next";
import { setNewPassword } from "#web/auth/actions.ts";
import { EntranceCard } from "#web/auth/entrance-card.tsx";
import { NewPasswordForm } from "#web/auth/forms.tsx";
import { dashboard } from "#web/client/dashboard.ts";
import { LinkButton } from "#web/components/button.tsx";

// The URL contains the secret: no referrer, no indexing.
export const metadata: Metadata = { title: "A new password", robots: { index: false }, referrer: "no-referrer" };

export default async function PasswordResetPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const reset = await dashboard().signInService.reset(token);
  if (reset === null) {
    return (
      <EntranceCard title="This link is no longer valid" description="It has expired or been used. Ask for a new one.">
        <LinkButton href="/sign-in/forgotten" className="h-9 w-full">
          Ask for a new link
        </LinkButton>
      </EntranceCard>
    );
  }
  return (
    <EntranceCard
      title="Set a new password"
      description={`For ${reset.email}. All your sessions end, and your personal tokens are revoked: programs that use them need new ones.`}
    >
      <NewPasswordForm action={setNewPassword} token={token} email={reset.email} label="Set password and sign in" />
    </EntranceCard>
  );
}
