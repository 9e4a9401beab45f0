"use client";

import { Button } from "../../../../_components/button.tsx";
import { Code } from "../../../../_components/code.tsx";
import { Dialog } from "../../../../_components/overlay.tsx";
import { Notice } from "../../../../_components/surface.tsx";

/** A link to hand on, shown this once. */
export interface Link {
  kind: "invitation" | "password";
  email: string;
  link: string;
  mail: { isSent: boolean } | null;
}

export function LinkDialog({ link: { kind, email, link, mail }, onClose }: { link: Link; onClose(): void }) {
  const isInvitation = kind === "invitation";
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={isInvitation ? `${email} is invited` : `A new password for ${email}`}
      description={
        isInvitation
          ? "Whoever opens this link joins. It works once, for seven days."
          : "Whoever opens this link sets the password. It works once, for a day."
      }
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <MailNotice email={email} mail={mail} />
      <Code text={link} label="Copy the link" />
      <p className="mt-2 text-xs text-quiet">It is shown this once. Lost? Make a new one from the list; this one stops working then.</p>
    </Dialog>
  );
}

function MailNotice({ email, mail }: Pick<Link, "email" | "mail">) {
  if (mail === null) return <p className="mb-3 text-quiet">Copy the link and send it to them yourself.</p>;
  return mail.isSent ? (
    <Notice tone="good" className="mb-3">
      It was mailed to {email}. You may also hand it on yourself.
    </Notice>
  ) : (
    <Notice tone="warn" title="The mail did not go out" className="mb-3">
      The mail server did not take it; the service’s log says why. Send the link yourself.
    </Notice>
  );
}
