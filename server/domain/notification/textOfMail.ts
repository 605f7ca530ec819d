import type { MailKind } from './mailKinds.ts';
import { accountMailTexts } from './accountMailTexts.ts';
import { integrationMailTexts } from './integrationMailTexts.ts';
import type { MailFacts, MailText, MailTexts } from './mailText.ts';
import { staffMailTexts } from './staffMailTexts.ts';

const texts: MailTexts<MailKind> = { ...accountMailTexts, ...integrationMailTexts, ...staffMailTexts };

/** What a mail says. The news say it too. `notify` stored the details with the type that belongs to the kind. */
export function textOfMail(kind: MailKind, facts: MailFacts<MailKind>): MailText {
  const write = texts[kind] as (facts: MailFacts<MailKind>) => MailText;
  return write(facts);
}
