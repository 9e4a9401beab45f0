import { Code } from "../../components/code.tsx";
import { ShownOnce } from "../../components/shown-once.tsx";
import { Notice } from "../../components/surface.tsx";

/** A link to an invitation or to a new password, shown once. */
export interface MadeLink {
  kind: "invitation" | "password";
  email: string;
  link: string;
  mail: { isSent: boolean; isTooMany: boolean } | null;
}

export function LinkDialog({ link: { kind, email, link, mail }, onClose }: { link: MadeLink; onClose(): void }) {
  const isInvitation = kind === "invitation";
  return (
    <ShownOnce
      title={isInvitation ? `${email} is invited` : `A new password for ${email}`}
      description={
        isInvitation
          ? "Anyone with this link can join. It works once, for seven days."
          : "Anyone with this link can set the password. It works once, for one day."
      }
      onDone={onClose}
    >
      <MailNotice email={email} mail={mail} />
      <Code text={link} label="Copy link" />
      <p className="text-xs text-quiet">
        It is shown only once. If you lose it, create a new link from the list; this one then stops working.
      </p>
    </ShownOnce>
  );
}

function MailNotice({ email, mail }: Pick<MadeLink, "email" | "mail">) {
  if (mail === null) return <p className="text-quiet">Copy the link and send it to them yourself.</p>;
  return mail.isSent ? (
    <Notice tone="good">Sent to {email}. You can also share the link yourself.</Notice>
  ) : (
    <Notice tone="warn" title="The email was not sent">
      {mail.isTooMany
        ? "Too many emails went to this address, or from this organization, in a short time. Share the link yourself."
        : "The mail server refused it; the service’s log says why. Share the link yourself."}
    </Notice>
  );
}
