import type { Metadata } from "next";
import Link from "next/link";
import { EntranceCard } from "#web/auth/entrance-card.tsx";
import { dashboard } from "#web/client/dashboard.ts";
import { Code } from "#web/components/code.tsx";
import { ForgottenForm } from "#web/auth/forms.tsx";

export const metadata: Metadata = { title: "Forgotten password", robots: { index: false } };

export default function ForgottenPage() {
  const { canMail } = dashboard().signInService.settings;
  const back = (
    <Link href="/sign-in" className="underline-offset-2 hover:text-ink hover:underline">
      Back to sign-in
    </Link>
  );
  if (canMail) {
    return (
      <EntranceCard title="Forgotten password" description="We email you a link to set a new one." aside={back}>
        <ForgottenForm />
      </EntranceCard>
    );
  }
  return (
    <EntranceCard
      title="Forgotten password"
      description="Ask an Admin or Owner of your project for a password reset link. They create it on the Members page."
      aside={back}
    >
      <p className="mb-2 text-quiet">If you are the only Owner, set a new one where the service runs:</p>
      <Code text="npm run --silent cli -- user reset-password --email you@example.com" />
    </EntranceCard>
  );
}
