import type { Metadata } from "next";
import { EntranceCard } from "#web/auth/entrance-card.tsx";
import { TellOthers } from "#web/auth/account/signed-in/tell-others.tsx";

export const metadata: Metadata = { title: "Signed in" };

/** Where a sign-in ends that another window of the dashboard waits for. */
export default function SignedInPage() {
  return (
    <EntranceCard title="You are signed in" description="Close this window and go on where you were.">
      <TellOthers />
    </EntranceCard>
  );
}
