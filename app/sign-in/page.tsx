import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { EntranceCard } from "../../web/auth/entrance-card.tsx";
import { safePath } from "../../web/auth/paths.ts";
import { ProviderButtons } from "../../web/auth/provider-buttons.tsx";
import { currentPerson } from "../../web/auth/session.ts";
import type { Parameters } from "../../web/client/address.ts";
import { Notice } from "../../web/components/surface.tsx";
import { SignInForm } from "../../web/auth/forms.tsx";

export const metadata: Metadata = { title: "Sign in", robots: { index: false } };

/** Why the provider's sign-in failed. */
const PROBLEMS = new Map<unknown, string>(
  Object.entries({
    "not-a-member": "That account's address is not a member here. Ask an Admin to invite it.",
    "no-verified-address": "That account has no verified email address, so we cannot tell who you are. Verify it there, or use a password.",
    "another-account":
      "That address belongs to another account of the same provider. Ask an Admin to remove the member and invite them again.",
    unreachable: "The provider did not answer. Try again later, or use a password.",
    "no-room": "The organization has reached its maximum number of members. Ask an Admin to make room.",
    OAuthAccountNotLinked: "That account could not be used. Sign in with your password.",
    OAuthCallbackError: "The sign-in was cancelled, or the provider refused it. Try again, or use a password.",
  }),
);

export default async function SignInPage({ searchParams }: { searchParams: Promise<Parameters> }) {
  const { from, problem, error, again } = await searchParams;
  const target = safePath(from);
  // `again`: a signed-in user has to prove their identity.
  if (again === undefined && (await currentPerson()) !== null) redirect(target);
  const code = problem ?? error;
  return (
    <EntranceCard title="Sign in" description="Open the dashboard of your projects.">
      {code !== undefined && (
        <Notice tone="bad" className="mb-4">
          {PROBLEMS.get(code) ?? "Sign-in failed. Try again, or use a password."}
        </Notice>
      )}
      <ProviderButtons from={target} />
      <SignInForm from={target} />
    </EntranceCard>
  );
}
