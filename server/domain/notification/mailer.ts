/** One mail, ready to be sent; `id` becomes the Message-ID. */
type OutgoingMail = {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/**
 * How mail leaves: SMTP, or the development mailbox. Resolves with null when it is handed over. If the mail server has refused it for good
 * (RFC 5321, 4.2.1), so that it is not to be handed over again, resolves with the code of the reply, with the enhanced code if there is one
 * (RFC 3463), such as `550 5.1.1`; the words of the reply often repeat the address. Rejects when it could not be handed over this time.
 */
export type Mailer = { send(mail: OutgoingMail): Promise<string | null> };
