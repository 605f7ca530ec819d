/** The words of a mail: paragraphs, and at most one link to press. */
type MailText = {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly action?: { readonly label: string; readonly url: string };
};

/** A registration of an address without an account. The token stands in the fragment, which no server sees. */
export function registrationMail(portalUrl: string, token: string): MailText {
  return {
    subject: 'Confirm your address',
    paragraphs: [
      'Somebody, hopefully you, wants to register as an operator with this address.',
      'The link below is good for 20 minutes and works once. Opening it changes nothing; you confirm on the page.',
      'If it was not you, ignore this mail. Nothing happens without the link.',
    ],
    action: { label: 'Confirm this address', url: `${portalUrl}/verify#token=${token}` },
  };
}

/** A registration of an address that has an account: the page answered the same as for a new one. */
export function knownAddressMail(portalUrl: string): MailText {
  return {
    subject: 'You already have an account',
    paragraphs: [
      'Somebody, hopefully you, wanted to register as an operator with this address. It already has an account.',
      'Sign in with your passkey. If it was not you, ignore this mail; nothing has changed.',
    ],
    action: { label: 'Sign in', url: `${portalUrl}/sign-in` },
  };
}

/** Plain text and HTML of a mail; everything is escaped. */
export function renderMail({ paragraphs, action }: MailText): { text: string; html: string } {
  const lines = action ? [...paragraphs.slice(0, 1), `${action.label}:\n${action.url}`, ...paragraphs.slice(1)] : paragraphs;
  const link = action ? `<p><a href="${escapeHtml(action.url)}">${escapeHtml(action.label)}</a></p><p>${escapeHtml(action.url)}</p>` : '';
  return {
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body>${paragraphs.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}${link}</body></html>`,
  };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
