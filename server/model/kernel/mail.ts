/** The text of a mail. Plain text is readable everywhere, and a project's name cannot do anything in it. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends mail; false if the mail server did not accept it. */
export interface Mailer {
  send(mail: Mail): Promise<boolean>;
}
