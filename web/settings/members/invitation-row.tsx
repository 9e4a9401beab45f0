"use client";

import { Ellipsis, RefreshCw, Trash2 } from "lucide-react";
import { rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { IconButton } from "../../components/button.tsx";
import { Menu } from "../../components/overlay.tsx";
import { Badge } from "../../components/surface.tsx";
import { Instant } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import { Initial } from "./initial.tsx";
import type { Link } from "./link-dialog.tsx";
import { SCOPE_WORDS } from "../roles.ts";
import { type MembersList, useMembers } from "./use-members.ts";

interface InvitationRowProps {
  invitation: MembersList["invitations"][number];
  onLink(link: Link): void;
}

export function InvitationRow({
  invitation: { id, email, role, scope, invitedBy, expiresAt, isExpired, mayChange },
  onLink,
}: InvitationRowProps) {
  const { project } = useWhere();
  const act = useMembers();
  const toast = useToast();
  const again = async () => onLink({ ...(await rpc.members.inviteAgain({ project, id })), kind: "invitation" });
  const withdraw = async () => {
    if (await act(() => rpc.members.withdraw({ project, id }))) toast({ title: `Invitation for ${email} withdrawn` });
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <Initial email={email} />
      <div className="min-w-0 flex-1 basis-44">
        <div className="truncate font-medium">{email}</div>
        <div className="truncate text-xs text-quiet" title={`Invited by ${invitedBy}`}>
          {SCOPE_WORDS[scope]} · {isExpired ? "expired" : "expires"} <Instant value={expiresAt} />
        </div>
      </div>
      <div className="flex items-center gap-1">
        {isExpired && <Badge tone="warn">Expired</Badge>}
        <Badge>{role}</Badge>
        {mayChange ? (
          <Menu
            trigger={<IconButton label={`More about the invitation for ${email}`} icon={<Ellipsis aria-hidden />} />}
            items={[
              {
                label: "New link",
                hint: "The previous link stops working",
                icon: <RefreshCw aria-hidden />,
                onSelect: () => void act(again),
              },
              { label: "Withdraw", icon: <Trash2 aria-hidden />, isDanger: true, isApart: true, onSelect: () => void withdraw() },
            ]}
          />
        ) : (
          <span className="w-8" />
        )}
      </div>
    </li>
  );
}
