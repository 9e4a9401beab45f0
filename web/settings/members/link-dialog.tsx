"use client";

import { Button } from "../../components/button.tsx";
import { Code } from "../../components/code.tsx";
import { Dialog } from "../../components/overlay.tsx";
import { Notice } from "../../components/surface.tsx";

/** An invitation link, shown once. */
export interface Link {
  kind: "invitation" | "password";
  email: string;
  link: string;
  mail: { isSent: boolean; isTooMany: boolean } | null;
}

export function LinkDialog({ link: { kind, email, link, mail }, onClose }: { link: Link; onClose(): void }) {
  const isInvitation = kind === "invitation";
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      isShownOnce
      title={isInvitation ? `${email} is invited` : `A new password for ${email}`}
      description={
        isInvitation
          ? "Anyone with this link can join. It works once, for seven days."
          : "Anyone with this link can set the password. It works once, for one day."
      }
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <MailNotice email={email} mail={mail} />
      <Code text={link} label="Copy link" />
      <p className="mt-2 text-xs text-quiet">
        It is shown only once. If you lose it, create a new link from the list; this one then stops working.
      </p>
    </Dialog>
  );
}

function MailNotice({ email, mail }: Pick<Link, "email" | "mail">) {
  if (mail === null) return <p className="mb-3 text-quiet">Copy the link and send it to them yourself.</p>;
  return mail.isSent ? (
    <Notice tone="good" className="mb-3">
      Sent to {email}. You can also share the link yourself.
    </Notice>
  ) : (
    <Notice tone="warn" title="The email was not sent" className="mb-3">
      {mail.isTooMany
        ? "Too many emails went to this address, or from this organization, in a short time. Share the link yourself."
        : "The mail server refused it; the service’s log says why. Share the link yourself."}
    </Notice>
  );
}
