import { escapeHtml } from '../../domain/shared/text/escapeHtml.ts';
import Router from '@koa/router';
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
    ctx.type = 'html';
    ctx.body = page(mails);
  });
  return router;
}

function page(mails: readonly ReceivedMail[]): string {
  const items = mails.map(({ recipient, subject, text, receivedAt }) => {
    const link = /https?:\/\/\S+/.exec(text)?.[0];
    const body = escapeHtml(text).replace(escapeHtml(link ?? '\0'), (url) => `<a href="${url}">${url}</a>`);
    return `<article><h2>${escapeHtml(subject)}</h2><p>To ${escapeHtml(recipient)}, <time datetime="${receivedAt.toISOString()}">${receivedAt.toISOString()}</time></p><pre>${body}</pre></article>`;
  });
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Development mailbox</title></head>
<body><main><h1>Development mailbox</h1><p>Mail is kept here because SMTP_URL is not set. Reload to look again.</p>${items.join('') || '<p>No mail yet.</p>'}</main></body>
</html>`;
}
