/** One mail, ready to be sent; `id` becomes the Message-ID. */
export type OutgoingMail = {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/** How mail leaves: SMTP, or the development mailbox. Rejects when the mail could not be handed over. */
export type Mailer = { send(mail: OutgoingMail): Promise<void> };
