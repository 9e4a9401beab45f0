import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { FactorDue } from "#web/auth/account/set-up-factor.tsx";
import { EntranceCard } from "#web/auth/entrance-card.tsx";
import { safePath, signInPath } from "#web/auth/paths.ts";
import { currentPerson } from "#web/auth/session.ts";
import type { Parameters } from "#web/client/address.ts";
import { QueryProvider } from "#web/client/query.tsx";

export const metadata: Metadata = { title: "Set up a second factor", robots: { index: false } };

/** For people who have to set up a second factor before anything else. */
export default async function SecondFactorPage({ searchParams }: { searchParams: Promise<Parameters> }) {
  const target = safePath((await searchParams).from);
  const person = await currentPerson();
  if (person === null) redirect(signInPath(target));
  if (!person.isFactorDue) redirect(target);
  return (
    <EntranceCard
      title="Set up a second factor"
      description="Your organization requires one. You then sign in with your password and a code from your phone."
    >
      <QueryProvider person={person.email}>
        <FactorDue from={target} />
      </QueryProvider>
    </EntranceCard>
  );
}
