import { escapeHtml } from '../../domain/shared/text/escapeHtml.ts';
import Router from '@koa/router';
import { newNonce, pagePolicy } from '../securityHeaders.ts';
import type { ReceivedMail } from '../../platform/developmentMailbox.ts';

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
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Development mailbox</title>${mails.length === 0 ? '<meta http-equiv="refresh" content="1">' : ''}<style nonce="${nonce}">pre { white-space: pre-wrap; overflow-wrap: anywhere }</style></head>
<body><main><h1>Development mailbox</h1><p>Mail is kept here because SMTP_URL is not set. Reload to look again.</p>${items.join('') || '<p>No mail yet. The page looks again every second.</p>'}</main></body>
</html>`;
}
