import { Ellipsis, GitPullRequestArrow, KeyRound, LogOut, RefreshCw, ShieldOff, Trash2, UserMinus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type ApprovingRole, lowerInLive, type RoleWithLive } from "#server/model/kernel/environment.ts";
import { useOpenAfter } from "../../client/leaving.ts";
import { type Answers, orpc, rpc, useAttempt, useWhere } from "../../client/service.tsx";
import { IconButton } from "../../components/button.tsx";
import { ConfirmDialog, Menu, type MenuItem, type Opened } from "../../components/overlay.tsx";
import { Select } from "../../components/lazy-controls.tsx";
import { Badge } from "../../components/surface.tsx";
import { Instant } from "../../components/time.tsx";
import type { Toast } from "../../components/toast-host.tsx";
import type { MadeLink } from "./link-dialog.tsx";
import { liveOptions, roleOptions, SCOPE_WORDS } from "../roles.ts";

export type MembersList = Answers["members"]["list"];

type Member = MembersList["members"][number];

/** Runs a member action and refetches; shows refusals, and never rejects. */
function useMembers(): <Answer>(what: () => Promise<Answer>, done?: string | ((answer: Answer) => Toast)) => Promise<unknown> {
  const attempt = useAttempt(orpc.members.key());
  return (what, done) => attempt("The change failed", what, done).catch(() => {});
}

/** Makes a link, one at a time: another one would end the first before it is shown. */
function useLink(kind: MadeLink["kind"], make: () => Promise<Omit<MadeLink, "kind">>, onLink: (link: MadeLink) => void) {
  const act = useMembers();
  const [isMaking, setMaking] = useState(false);
  const onSelect = async () => {
    setMaking(true);
    await act(async () => onLink({ ...(await make()), kind }));
    setMaking(false);
  };
  return { onSelect: () => void onSelect(), disabled: isMaking };
}

export function MemberRow({ member, onLink }: { member: Member; onLink(link: MadeLink): void }) {
  const [asked, setAsked] = useState<"remove" | "reset" | null>(null);
  const items = useItems(member, onLink, setAsked);
  return (
    <PersonRow
      email={member.email}
      note={member.isYou && <Badge tone="info">You</Badge>}
      below={
        <>
          {SCOPE_WORDS[member.scope]}
          {" · "}
          {member.lastSeenAt === null ? (
            "not signed in"
          ) : (
            <>
              seen <Instant value={member.lastSeenAt} />
            </>
          )}
          {member.hasSecondFactor !== null && (member.hasSecondFactor ? " · second factor" : " · no second factor")}
        </>
      }
      menu={`More about ${member.email}`}
      items={items}
    >
      <RoleOf member={member} />
      <RemoveDialog member={member} open={asked === "remove"} onOpenChange={(isOpen) => setAsked(isOpen ? "remove" : null)} />
      <ResetFactorDialog member={member} open={asked === "reset"} onOpenChange={(isOpen) => setAsked(isOpen ? "reset" : null)} />
    </PersonRow>
  );
}

export function InvitationRow({ invitation, onLink }: { invitation: MembersList["invitations"][number]; onLink(link: MadeLink): void }) {
  const { id, email, role, liveRole, scope, invitedBy, expiresAt, isExpired, mayChange } = invitation;
  const { project } = useWhere();
  const act = useMembers();
  const again = useLink("invitation", () => rpc.members.inviteAgain({ project, id }), onLink);
  const withdraw = () => act(() => rpc.members.withdraw({ project, id }), `Invitation for ${email} withdrawn`);
  const items: MenuItem[] = [
    { label: "New link", hint: "The previous link stops working", icon: <RefreshCw />, ...again },
    { label: "Withdraw", icon: <Trash2 />, isDanger: true, isApart: true, onSelect: () => void withdraw() },
  ];
  return (
    <PersonRow
      email={email}
      below={
        <span title={`Invited by ${invitedBy}`}>
          {SCOPE_WORDS[scope]} · {isExpired ? "expired" : "expires"} <Instant value={expiresAt} />
        </span>
      }
      menu={`More about the invitation for ${email}`}
      items={mayChange ? items : []}
    >
      {isExpired && <Badge tone="warn">Expired</Badge>}
      <Roles role={role} liveRole={liveRole} />
    </PersonRow>
  );
}

interface PersonRowProps {
  email: string;
  /** Beside the address. */
  note?: ReactNode;
  below: ReactNode;
  /** The menu's accessible name. */
  menu: string;
  items: MenuItem[];
  /** Before the menu. */
  children: ReactNode;
}

const PersonRow = ({ email, note, below, menu, items, children }: PersonRowProps) => (
  <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
    <span
      aria-hidden
      className="flex size-8 shrink-0 items-center justify-center rounded-full bg-veil text-xs font-semibold text-quiet uppercase"
    >
      {email[0]}
    </span>
    <div className="min-w-0 flex-1 basis-44">
      <div className="flex items-center gap-2">
        <span className="font-medium wrap-anywhere sm:truncate">{email}</span>
        {note}
      </div>
      <div className="text-xs text-quiet sm:truncate">{below}</div>
    </div>
    <div className="flex items-center gap-1">
      {children}
      {items.length > 0 ? (
        <Menu trigger={<IconButton label={menu} icon={<Ellipsis />} />} items={items} />
      ) : (
        <span className="w-8 max-sm:hidden" />
      )}
    </div>
  </li>
);

function useItems(member: Member, onLink: (link: MadeLink) => void, ask: (what: "remove" | "reset") => void): MenuItem[] {
  const { project } = useWhere();
  const act = useMembers();
  const reset = useLink("password", () => rpc.members.resetPassword({ project, id: member.id }), onLink);
  const items: MenuItem[] = [];
  if (member.maySetPassword) items.push({ label: "Password reset link", icon: <KeyRound />, ...reset });
  if (member.mayLetApprove && (member.liveRole ?? member.role) === "Editor") {
    const { id, email, approves } = member;
    items.push({
      label: approves ? "Stop approving requests" : "Let approve requests",
      icon: <GitPullRequestArrow />,
      onSelect: () =>
        void act(
          () => rpc.members.changeRole({ project, id, approves: !approves }),
          approves ? `${email} no longer approves change requests` : `${email} may now approve change requests`,
        ),
    });
  }
  if (member.mayResetFactor) items.push({ label: "Reset second factor", icon: <ShieldOff />, onSelect: () => ask("reset") });
  if (member.mayRemove) {
    items.push({
      label: member.isYou ? "Leave" : "Remove",
      icon: member.isYou ? <LogOut /> : <UserMinus />,
      isDanger: true,
      isApart: items.length > 0,
      onSelect: () => ask("remove"),
    });
  }
  return items;
}

const Roles = ({ role, liveRole, approves = false }: RoleWithLive & { approves?: boolean }) => (
  <>
    <Badge>{role}</Badge>
    {liveRole !== null && <Badge tone="warn">{liveRole} in Live</Badge>}
    {approves && <Badge tone="info">Approves</Badge>}
  </>
);

/** The role, and the lower one in Live; selects where the user may change them. */
function RoleOf({ member }: { member: Member }) {
  const { project } = useWhere();
  const act = useMembers();
  const { id, email, role, liveRole, approves, mayBecome } = member;
  if (mayBecome.length === 0) return <Roles {...member} />;
  // Sends only what is chosen: the rest of this render may be older than a change under way, or than another Admin's.
  const change = (to: Partial<ApprovingRole>, isUndo = false) =>
    act(
      () => rpc.members.changeRole({ project, id, ...to }),
      ({ role, liveRole, was }) => ({
        title: `${email} is now ${role}${liveRole === null ? "" : `, and ${liveRole} in Live`}`,
        action: isUndo ? undefined : { label: "Undo", onSelect: () => void change(was, true) },
      }),
    );
  return (
    <>
      {approves && <Badge tone="info">Approves</Badge>}
      <div className="w-28">
        <Select
          aria-label={`Role of ${email}`}
          value={role}
          options={roleOptions(mayBecome)}
          onValueChange={(next) => next !== role && void change({ role: next })}
        />
      </div>
      {lowerInLive(role).length > 0 && (
        <div className="w-40 min-w-0">
          <Select
            aria-label={`Role of ${email} in Live`}
            value={liveRole ?? role}
            options={liveOptions(role)}
            onValueChange={(next) => next !== (liveRole ?? role) && void change({ liveRole: next })}
          />
        </div>
      )}
    </>
  );
}

function RemoveDialog({ member, open, onOpenChange }: Opened & { member: Member }) {
  const { project, projectName } = useWhere();
  const attempt = useAttempt(orpc.members.key());
  const { open: openPage } = useOpenAfter();
  const { id, email, isYou, scope } = member;
  const what = scope === "organization" ? "all projects of the organization" : projectName;
  const remove = async () => {
    if (isYou) {
      await attempt("You could not leave", () => rpc.members.leave({ project, id }));
      openPage("/sign-in");
    } else await attempt(`${email} was not removed`, () => rpc.members.remove({ project, id }), `${email} is removed`);
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

function ResetFactorDialog({ member: { id, email }, open, onOpenChange }: Opened & { member: Member }) {
  const { project } = useWhere();
  const attempt = useAttempt(orpc.members.key());
  const reset = () =>
    attempt(
      "The second factor was not reset",
      () => rpc.members.resetFactor({ project, id }),
      ({ mail }) => ({
        title: `Second factor of ${email} reset`,
        description: mail?.isSent === true ? "They were notified by email." : "No email was sent: notify them yourself.",
      }),
    );
  return (
    <ConfirmDialog open={open} onOpenChange={onOpenChange} title="Reset the second factor?" confirmLabel="Reset" isDanger onConfirm={reset}>
      {email} signs in with the password alone until they set up a new one. All their sessions end. Make sure that it is they who ask.
    </ConfirmDialog>
  );
}
