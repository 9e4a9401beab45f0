"use client";

import { Ellipsis, KeyRound, LogOut, UserMinus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { Role } from "#server/model/kernel/roles.ts";
import { rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { IconButton } from "../../components/button.tsx";
import { ConfirmDialog, Menu, type MenuItem } from "../../components/overlay.tsx";
import { Select } from "../../components/select.tsx";
import { Badge } from "../../components/surface.tsx";
import { Instant } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import { Initial } from "./initial.tsx";
import type { Link } from "./link-dialog.tsx";
import { roleOptions, SCOPE_WORDS } from "../roles.ts";
import { type MembersList, useMembers } from "./use-members.ts";

type Member = MembersList["members"][number];

export function MemberRow({ member, onLink }: { member: Member; onLink(link: Link): void }) {
  const [isRemoving, setRemoving] = useState(false);
  const items = useItems(member, onLink, () => setRemoving(true));
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <Initial email={member.email} />
      <div className="min-w-0 flex-1 basis-44">
        <div className="flex items-center gap-2">
          <span className="truncate font-medium">{member.email}</span>
          {member.isYou && <Badge tone="info">You</Badge>}
        </div>
        <div className="truncate text-xs text-quiet">
          {SCOPE_WORDS[member.scope]}
          {" · "}
          {member.lastSeenAt === null ? (
            "not signed in"
          ) : (
            <>
              seen <Instant value={member.lastSeenAt} />
            </>
          )}
        </div>
      </div>
      <div className="flex items-center gap-1">
        <RoleOf member={member} />
        {items.length > 0 ? (
          <Menu trigger={<IconButton label={`More about ${member.email}`} icon={<Ellipsis aria-hidden />} />} items={items} />
        ) : (
          <span className="w-8" />
        )}
      </div>
      <RemoveDialog member={member} open={isRemoving} onOpenChange={setRemoving} />
    </li>
  );
}

function useItems(member: Member, onLink: (link: Link) => void, onRemove: () => void): MenuItem[] {
  const { project } = useWhere();
  const act = useMembers();
  const items: MenuItem[] = [];
  if (member.maySetPassword) {
    const makeLink = async () => {
      const made = await rpc.members.resetPassword({ project, id: member.id });
      onLink({ ...made, kind: "password" });
    };
    items.push({ label: "Password reset link", icon: <KeyRound aria-hidden />, onSelect: () => void act(makeLink) });
  }
  if (member.mayRemove) {
    items.push({
      label: member.isYou ? "Leave" : "Remove",
      icon: member.isYou ? <LogOut aria-hidden /> : <UserMinus aria-hidden />,
      isDanger: true,
      isApart: items.length > 0,
      onSelect: onRemove,
    });
  }
  return items;
}

/** The role; a select where the user may change it. */
function RoleOf({ member }: { member: Member }) {
  const { project } = useWhere();
  const act = useMembers();
  const toast = useToast();
  const { id, email, role, mayBecome } = member;
  if (mayBecome.length === 0) return <Badge>{role}</Badge>;
  const change = async (from: Role, to: Role) => {
    if (!(await act(() => rpc.members.changeRole({ project, id, role: to })))) return;
    const isBack = to === role;
    toast({ title: `${email} is now ${to}`, action: isBack ? undefined : { label: "Undo", onSelect: () => void change(to, from) } });
  };
  return (
    <Select
      aria-label={`Role of ${email}`}
      value={role}
      options={roleOptions(mayBecome)}
      onValueChange={(next) => next !== role && void change(role, next)}
      className="w-28"
    />
  );
}

function RemoveDialog({ member, open, onOpenChange }: { member: Member; open: boolean; onOpenChange(open: boolean): void }) {
  const { project, projectName } = useWhere();
  const act = useMembers();
  const toast = useToast();
  const router = useRouter();
  const { id, email, isYou, scope } = member;
  const what = scope === "organization" ? "all projects of the organization" : projectName;
  const remove = async () => {
    if (isYou) {
      if (await act(() => rpc.members.leave({ project, id }))) router.push("/sign-in");
    } else if (await act(() => rpc.members.remove({ project, id }))) {
      toast({ title: `${email} is removed` });
    }
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={isYou ? `Leave ${what}?` : `Remove ${email}?`}
      confirmLabel={isYou ? "Leave" : "Remove"}
      isDanger
      onConfirm={remove}
    >
      {isYou
        ? `You lose access to ${what} immediately. To come back you need a new invitation.`
        : `They lose access to ${what} immediately. Their work stays.`}
    </ConfirmDialog>
  );
}
