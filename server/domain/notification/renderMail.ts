import { escapeHtml } from '../shared/text/escapeHtml.ts';
import { mailKindRules, type MailKind } from './mailKinds.ts';
import type { MailText } from './mailText.ts';

type RenderedMail = { readonly text: string; readonly html: string };

/**
 * Plain text and HTML of a mail, everything escaped. The HTML loads nothing from anywhere, and leaves its colours to the reader's mail
 * program, light or dark. The foot says why the mail came and, where it is optional, where to switch it off.
 */
export function renderMail(kind: MailKind, { subject, paragraphs, facts = [], action }: MailText, portalUrl: string): RenderedMail {
  const url = action && `${portalUrl}${action.path}`;
  const foot = footOf(kind, portalUrl);
  const text = [
    ...paragraphs.slice(0, 1),
    ...(facts.length > 0 ? [facts.map(([name, value]) => `${name}: ${value}`).join('\n')] : []),
    ...(action ? [`${action.label}:\n${url}`] : []),
    ...paragraphs.slice(1),
    `--\n${foot}`,
  ].join('\n\n');
  const html = [
    head(subject),
    `<h1>${escapeHtml(subject)}</h1>`,
    ...paragraphs.map((line) => `<p>${escapeHtml(line)}</p>`),
    facts.length > 0 ? `<table role="presentation">${facts.map(factRow).join('')}</table>` : '',
    action && url
      ? `<p><a class="action" href="${escapeHtml(url)}">${escapeHtml(action.label)}</a></p><p class="quiet">${escapeHtml(url)}</p>`
      : '',
    `<p class="foot">${escapeHtml(foot)}</p></main></body></html>`,
  ].join('');
  return { text: `${text}\n`, html };
}

function footOf(kind: MailKind, portalUrl: string): string {
  const { because, topic } = mailKindRules[kind];
  const why = `You received this email because ${because}.`;
  return topic === null ? why : `${why} It is optional: switch it off at ${portalUrl}/account under “Notifications”.`;
}

function factRow([name, value]: readonly [string, string]): string {
  return `<tr><td class="quiet">${escapeHtml(name)}</td><td>${escapeHtml(value)}</td></tr>`;
}

const style = `
  :root { color-scheme: light dark; supported-color-schemes: light dark }
  body { margin: 0; padding: 24px 16px; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif }
  main { display: block; max-width: 560px; margin: 0 auto; overflow-wrap: anywhere }
  h1 { font-size: 22px; line-height: 1.3; margin: 0 0 16px }
  table { border-collapse: collapse; margin: 0 0 16px }
  td { padding: 4px 16px 4px 0; vertical-align: top }
  .action { display: inline-block; padding: 8px 16px; border: 2px solid currentColor; border-radius: 6px; font-weight: 600; text-decoration: none; color: inherit }
  .quiet, .foot { font-size: 14px; opacity: 0.8 }
  .foot { border-top: 1px solid; padding-top: 16px; margin-top: 32px }`;

function head(subject: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">' +
    `<title>${escapeHtml(subject)}</title><style>${style}</style></head><body><main>`
  );
}
