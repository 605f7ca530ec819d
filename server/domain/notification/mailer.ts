/** One mail, ready to be sent; `id` becomes the Message-ID. */
export type OutgoingMail = {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/**
 * The mail server has refused this mail for good (RFC 5321, 4.2.1), so it is not to be handed over again. `reply` is the code of the reply,
 * with the enhanced code if there is one (RFC 3463), such as `550 5.1.1`; its words often repeat the address.
 */
export class MailRefused extends Error {
  readonly reply: string;

  constructor(reply: string) {
    super(`The mail server has refused the mail for good: ${reply}.`);
    this.reply = reply;
  }
}

/** How mail leaves: SMTP, or the development mailbox. Rejects when the mail could not be handed over; with `MailRefused`, it never can be. */
export type Mailer = { send(mail: OutgoingMail): Promise<void> };
