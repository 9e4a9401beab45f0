import type { Transporter } from "nodemailer";
import type { Mailer } from "../../model/identity/mails.ts";

/** Short, since a user waits for the response while the mail server may hang. */
const PATIENCE_MS = 8_000;

/**
 * Sends mail. The sender is `from` in the URL of the mail server, else its user if that is a mail address, else an address of the service's
 * own host. `onFailure` gets the cause; the mail's text appears in no log.
 */
export function openMailer(smtpUrl: string, baseUrl: string, onFailure: (error: unknown) => void): Mailer {
  const url = new URL(smtpUrl);
  const user = decodeURIComponent(url.username);
  const from = url.searchParams.get("from") ?? (user.includes("@") ? user : `engagement@${new URL(baseUrl).hostname}`);
  url.searchParams.delete("from");
  const patience = { connectionTimeout: PATIENCE_MS, greetingTimeout: PATIENCE_MS, socketTimeout: PATIENCE_MS };
  let transport: Transporter | null = null;
  return {
    async send(mail) {
      try {
        // Loaded with the first mail: 40 modules that would slow each start down.
        const { createTransport } = await import("nodemailer");
        transport ??= createTransport({ url: url.href, ...patience }, { from });
        await transport.sendMail(mail);
        return true;
      } catch (error) {
        onFailure(error);
        return false;
      }
    },
  };
}
