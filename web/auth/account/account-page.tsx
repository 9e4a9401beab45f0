"use client";

import { useQuery } from "@tanstack/react-query";
import { endSession } from "../actions.ts";
import { orpc } from "../../client/rpc.ts";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Card, Notice, Skeleton } from "../../components/surface.tsx";
import { Outside } from "../../shell/outside.tsx";
import { Notifications } from "./notifications.tsx";
import { PasswordForm } from "./password-form.tsx";
import { Sessions } from "./sessions.tsx";

/** OpenID Connect providers are stored as `oidc:` and the issuer's address. */
const nameOf = (provider: string): string =>
  ({ google: "Google", github: "GitHub" })[provider] ?? URL.parse(provider.replace(/^oidc:/, ""))?.host ?? provider;

/** The user's own account, outside any project. */
export function AccountPage() {
  const { data, error } = useQuery(orpc.account.read.queryOptions());
  return (
    <Outside hasProjects>
      <Page
        title="Your account"
        description={data?.email}
        width="narrow"
        actions={
          <form action={endSession}>
            <Button type="submit">Sign out</Button>
          </form>
        }
      >
        {error && <Notice tone="bad">{problemOf(error)}</Notice>}
        <div className="flex flex-col gap-5">
          {data ? (
            <>
              <PasswordForm email={data.email} hasPassword={data.hasPassword} />
              {data.providers.length > 0 && (
                <p className="text-[0.8125rem] text-quiet">You have also signed in with {data.providers.map(nameOf).join(" and ")}.</p>
              )}
              <Notifications />
              <Sessions sessions={data.sessions} />
            </>
          ) : (
            <Card>
              <Skeleton className="h-40" />
            </Card>
          )}
        </div>
      </Page>
    </Outside>
  );
}
