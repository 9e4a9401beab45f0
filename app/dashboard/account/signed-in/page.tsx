import { EntranceCard } from "#web/auth/entrance-card.tsx";
import { TellOthers } from "#web/auth/account/signed-in/tell-others.tsx";

export const metadata = { title: "Signed in" };

/** The last page of a sign-in that was opened in a second window. */
export default function SignedInPage() {
  return (
    <EntranceCard title="You are signed in" description="Close this window and continue where you were.">
      <TellOthers />
    </EntranceCard>
  );
}
