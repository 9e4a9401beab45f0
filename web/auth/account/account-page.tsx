"use client";

import { useMutation, useMutationState, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useSignOut } from "../use-sign-out.ts";
import { type Answers, orpc, rpc, useAttempt } from "../../client/service.tsx";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { Loaded } from "../../components/problems.tsx";
import { Badge, Card, Notice } from "../../components/surface.tsx";
import { Outside } from "../../shell/outside.tsx";
import { PasswordForm } from "./password-form.tsx";
import { Devices, SecondFactor } from "./second-factor.tsx";
import { Checkbox } from "../../components/toggle.tsx";
import { NOTICE_KINDS } from "../../settings/notices/words.ts";
import { ClockContext, Instant } from "../../components/time.tsx";
import { BrowserItem } from "./browser-item.tsx";

/** OpenID Connect providers are stored as `oidc:` and the issuer's address. */
const nameOf = (provider: string): string =>
  ({ google: "Google", github: "GitHub" })[provider] ?? URL.parse(provider.replace(/^oidc:/, ""))?.host ?? provider;

/** The user's own account, outside any project. */
export function AccountPage() {
  const signOut = useSignOut();
  const account = useQuery(orpc.account.read.queryOptions());
  const timeZone = useOwnZone();
  const clock = useMemo(() => ({ timeZone, aheadMs: 0 }), [timeZone]);
  return (
    <Outside hasProjects>
      <Page
        title="Your account"
        description={account.data?.email}
        width="narrow"
        actions={
          <form action={signOut}>
            <Button type="submit">Sign out</Button>
          </form>
        }
      >
        <Loaded of={account} what="Your account" className="h-40">
          {(data) => (
            <ClockContext value={clock}>
              <div className="flex flex-col gap-5">
                <PasswordForm email={data.email} hasPassword={data.hasPassword} />
                <SecondFactor account={data} />
                <Devices devices={data.devices} />
                {data.providers.length > 0 && (
                  <p className="text-[0.8125rem] text-quiet">You have also signed in with {data.providers.map(nameOf).join(" and ")}.</p>
                )}
                <Notifications />
                <Sessions sessions={data.sessions} />
              </div>
            </ClockContext>
          )}
        </Loaded>
      </Page>
    </Outside>
  );
}

/** Up to this many projects are shown expanded. */
const MAX_OPEN = 2;

interface MailChoice {
  project: string;
  kind: (typeof NOTICE_KINDS)[number]["kind"];
  isOn: boolean;
}

/** Saves choices of mails, one after the other, so that the last one counts. Until then `underWay` has them. */
function useMailChoices() {
  const mutationKey = orpc.notices.choose.mutationKey();
  const { mutate: choose } = useMutation({
    mutationKey,
    mutationFn: (choice: MailChoice) => rpc.notices.choose(choice),
    scope: { id: "notices" },
    meta: { failure: "The setting was not saved", touches: [orpc.notices.key()] },
  });
  const underWay = useMutationState({ filters: { mutationKey, status: "pending" }, select: ({ state }) => state.variables as MailChoice });
  return { choose, underWay };
}

/** E-mail notifications, by project. */
function Notifications() {
  const choices = useQuery(orpc.notices.choices.queryOptions());
  const { choose, underWay } = useMailChoices();
  return (
    <Card
      title="Email notifications"
      description="By default, Owners and Admins get them. At most one email an hour for each project and kind."
    >
      <Loaded of={choices} what="Your choices" className="h-20">
        {({ canMail, projects }) => (
          <div className="relative flex flex-col gap-4">
            {!canMail && (
              <Notice tone="neutral">
                This installation sends no email because SMTP_URL is not set. Your choices take effect once it is.
              </Notice>
            )}
            {projects.length === 0 && <p className="text-quiet">You have no projects yet.</p>}
            {projects.map(({ slug, ...project }) => (
              <ProjectMails
                key={slug}
                {...project}
                // With many projects, each starts collapsed.
                isOpen={projects.length <= MAX_OPEN}
                underWay={underWay.filter((one) => one.project === slug)}
                onChoose={(kind, isOn) => choose({ project: slug, kind, isOn })}
              />
            ))}
          </div>
        )}
      </Loaded>
    </Card>
  );
}

interface ProjectMailsProps extends Omit<Answers["notices"]["choices"]["projects"][number], "slug"> {
  isOpen: boolean;
  /** They are shown as if they were saved; one that fails goes back. */
  underWay: readonly MailChoice[];
  onChoose(kind: MailChoice["kind"], isOn: boolean): void;
}

function ProjectMails({ name, role, mailed, isOpen, underWay, onChoose }: ProjectMailsProps) {
  const isMailed = (kind: MailChoice["kind"]) => underWay.findLast((one) => one.kind === kind)?.isOn ?? mailed.includes(kind);
  const count = NOTICE_KINDS.filter(({ kind }) => isMailed(kind)).length;
  return (
    <details open={isOpen}>
      <summary className="cursor-pointer rounded text-[0.8125rem] font-medium">
        {name}{" "}
        <span className="font-normal text-quiet">
          {role} · {count === 0 ? "none" : `${count} of ${NOTICE_KINDS.length}`}
        </span>
      </summary>
      <fieldset className="mt-2 flex flex-col gap-2">
        <legend className="sr-only">{name}</legend>
        {NOTICE_KINDS.map(({ kind, label }) => (
          <Checkbox key={kind} label={label} checked={isMailed(kind)} onCheckedChange={(isOn) => onChoose(kind, isOn)} />
        ))}
      </fieldset>
    </details>
  );
}

type Session = Answers["account"]["read"]["sessions"][number];

function Sessions({ sessions }: { sessions: Session[] }) {
  const attempt = useAttempt(orpc.account.key());
  const end = (what: () => Promise<unknown>, title: string) => attempt("The change failed", what, title).catch(() => {});
  return (
    <Card
      title="Sessions"
      description="A session lasts 30 days."
      padded={false}
      actions={
        sessions.length > 1 && (
          <Button size="sm" onClick={() => void end(() => rpc.account.endOtherSessions(), "Signed out everywhere else")}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <ul className="divide-y divide-line" aria-label="Sessions">
        {sessions.map(({ id, isCurrent, userAgent, address, lastSeenAt }) => (
          <BrowserItem
            key={id}
            userAgent={userAgent}
            address={address}
            badge={isCurrent && <Badge tone="good">This browser</Badge>}
            action={
              !isCurrent && (
                <Button size="sm" variant="ghost" onClick={() => void end(() => rpc.account.endSession({ id }), "That session has ended")}>
                  End session
                </Button>
              )
            }
          >
            seen <Instant value={lastSeenAt} />
          </BrowserItem>
        ))}
      </ul>
    </Card>
  );
}

/** The browser's zone, since the account belongs to no project. The server does not know it and renders UTC. */
function useOwnZone(): string {
  const [zone, setZone] = useState("UTC");
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC"), []);
  return zone;
}
