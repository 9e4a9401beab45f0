"use client";

import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { orpc, useWhere } from "../../client/service.tsx";
import { Button } from "../../components/button.tsx";
import { dialogOnceOpen } from "../../components/overlay.tsx";
import { Page } from "../../components/page.tsx";
import { ReadFailed } from "../../components/problems.tsx";
import { Card, Skeleton } from "../../components/surface.tsx";
import type { MadeLink } from "./link-dialog.tsx";
import { InvitationRow, MemberRow } from "./rows.tsx";

const InviteDialog = dialogOnceOpen(() => import("./invite-dialog.tsx").then((loaded) => loaded.InviteDialog));
const LinkDialog = dialogOnceOpen(() => import("./link-dialog.tsx").then((loaded) => loaded.LinkDialog));

export function MembersScreen() {
  const { project, projectName } = useWhere();
  const { data, error, refetch } = useQuery(orpc.members.list.queryOptions({ input: { project } }));
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<MadeLink | null>(null);
  const mayInvite = (data?.mayInvite.project.length ?? 0) > 0;
  return (
    <Page
      title="Members"
      description={`People who work on ${projectName}, and their roles.`}
      width="narrow"
      actions={
        mayInvite && (
          <Button variant="primary" icon={<UserPlus />} opens={InviteDialog} onClick={() => setInviting(true)} aria-keyshortcuts="c">
            Invite
          </Button>
        )
      }
    >
      <ReadFailed title="The members could not be loaded" error={error} onRetry={refetch} className="mb-4" />
      {(data || !error) && (
        <Card padded={false}>
          <ul className="divide-y divide-line" aria-label="Members">
            {data ? data.members.map((member) => <MemberRow key={member.id} member={member} onLink={setLink} />) : <MemberSkeletons />}
          </ul>
        </Card>
      )}
      {data && data.invitations.length > 0 && (
        <Card title="Invitations" padded={false} className="mt-5">
          <ul className="divide-y divide-line" aria-label="Invitations">
            {data.invitations.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} onLink={setLink} />
            ))}
          </ul>
        </Card>
      )}
      {!mayInvite && data && <p className="mt-3 text-[0.8125rem] text-quiet">Only Owners and Admins can invite people and change roles.</p>}
      {data && isInviting && (
        <InviteDialog mayInvite={data.mayInvite} canMail={data.canMail} onClose={() => setInviting(false)} onLink={setLink} />
      )}
      {link && <LinkDialog link={link} onClose={() => setLink(null)} />}
    </Page>
  );
}

const MemberSkeletons = () =>
  [0, 1, 2].map((at) => (
    <li key={at} className="flex items-center gap-3 px-4 py-3">
      <Skeleton className="size-8 rounded-full" />
      <Skeleton className="w-56 max-w-full" />
    </li>
  ));
