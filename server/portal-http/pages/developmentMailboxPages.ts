import { escapeHtml } from '../../domain/shared/text/escapeHtml.ts';
import Router from '@koa/router';
import { newNonce, pagePolicy } from '../securityHeaders.ts';
import type { ReceivedMail } from '../../platform/developmentMailbox.ts';

/** Reloads the page once a mail has come, and not before, so that a code that is marked in it stays marked. The page's policy allows no inline script. */
const script = `const newest = document.querySelector('time')?.dateTime;
setInterval(async () => {
  const answer = await fetch('/dev/mailbox', { headers: { accept: 'application/json' } }).catch(() => null);
  if (answer?.ok && (await answer.json())[0]?.receivedAt !== newest) location.reload();
}, 1000);
`;

/** The development mailbox, newest mail first, as a page or, with `Accept: application/json`, as JSON. */
export function developmentMailboxPages(mailbox: { newest(): Promise<ReceivedMail[]> }): Router {
  const router = new Router();
  router.get('/dev/mailbox', async (ctx) => {
    const mails = await mailbox.newest();
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Vary', 'Accept');
    if (ctx.accepts('html', 'json') === 'json') {
      ctx.body = mails;
      return;
    }
    const nonce = newNonce();
    ctx.set('Content-Security-Policy', pagePolicy(nonce));
    ctx.type = 'html';
    ctx.body = page(mails, nonce);
  });
  router.get('/dev/mailbox.js', (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'text/javascript';
    ctx.body = script;
  });
  return router;
}

function page(mails: readonly ReceivedMail[], nonce: string): string {
  const items = mails.map(({ recipient, subject, text, receivedAt }) => {
    const link = /https?:\/\/\S+/.exec(text)?.[0];
    const body = escapeHtml(text).replace(escapeHtml(link ?? '\0'), (url) => `<a href="${url}">${url}</a>`);
    return `<article><h2>${escapeHtml(subject)}</h2><p>To ${escapeHtml(recipient)}, <time datetime="${receivedAt.toISOString()}">${receivedAt.toISOString()}</time></p><pre>${body}</pre></article>`;
  });
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Development mailbox</title><script src="/dev/mailbox.js" defer></script><style nonce="${nonce}">pre { white-space: pre-wrap; overflow-wrap: anywhere }</style></head>
<body><main><h1>Development mailbox</h1><p>Mail is kept here because SMTP_URL is not set. New mail appears by itself.</p>${items.join('') || '<p>No mail yet.</p>'}</main></body>
</html>`;
}
