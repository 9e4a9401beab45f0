import { Prefetch } from "#web/client/server.tsx";
import { AccountPage } from "#web/auth/account/account-page.tsx";

export const metadata = { title: "Your account" };

export default function Account() {
  return (
    <Prefetch find={(orpc) => [orpc.account.read.queryOptions(), orpc.notices.choices.queryOptions()]}>
      <AccountPage />
    </Prefetch>
  );
}
