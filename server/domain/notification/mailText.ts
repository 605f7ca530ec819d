import type { MailDetails, MailKind } from './mailKinds.ts';

/** The words of a mail: paragraphs, a table of facts, and at most one link to press. */
export type MailText = {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly facts?: readonly (readonly [name: string, value: string])[];
  readonly action?: { readonly label: string; readonly path: string };
};

/** What a text is made of. The token of a link is in the fragment of its address, which no server sees. */
export type MailFacts<Kind extends MailKind> = {
  readonly details: MailDetails[Kind];
  readonly token: string | null;
  /** The code of a registration, for the page on which it was asked for. */
  readonly code: string | null;
  /** The address that a change of address leads to. No detail of a mail holds one, so it is read when the mail is sent. */
  readonly newAddress?: string | null;
  /** Whom the reader can contact, in words. */
  readonly contact: string;
  readonly integration: { readonly name: string; readonly slug: string } | null;
};

export type MailTexts<Kinds extends MailKind> = { readonly [Kind in Kinds]: (facts: MailFacts<Kind>) => MailText };

/** What a reader is to do who did not cause what the mail tells. */
export const notYou = (contact: string): string =>
  `If this was not you, sign in, end all sessions and remove any passkeys you do not recognise. If you cannot sign in, use a recovery code. If you have none, contact ${contact}.`;

const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** A moment (ISO 8601) as mails tell it. */
export function moment(instant: string): string {
  return `${words.format(new Date(instant))} UTC`;
}
