import type { MailKind } from './mailKinds.ts';
import { mailTexts, type MailFacts, type MailText } from './mailTexts.ts';
import { staffMailTexts } from './staffMailTexts.ts';

/** What a mail says, whoever it is for. The news say it too. `notify` stored the details with the type that belongs to the kind. */
export function textOfMail(kind: MailKind, facts: MailFacts<MailKind>): MailText {
  const write = { ...mailTexts, ...staffMailTexts }[kind] as (facts: MailFacts<MailKind>) => MailText;
  return write(facts);
}
