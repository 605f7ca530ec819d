import { readFile } from 'node:fs/promises';
import Router from '@koa/router';
import { DomainError } from '../../domain/shared/DomainError.ts';
import type { PortalState } from '../requestContext.ts';
import { sendDocument } from '../sendDocument.ts';

const folder = new URL('../../../docs/receivers/', import.meta.url);
const files = new Map([
  ['receiver.ts', 'typescript/receiver.ts'],
  ['receiver.py', 'python/receiver.py'],
  ['receiver.go', 'go/receiver.go'],
  ['go.mod', 'go/go.mod'],
]);

/** The complete receivers of the guide “Webhooks”, for operators to copy. */
export function receivers(): Router<PortalState> {
  const router = new Router<PortalState>();
  router.get('/receivers/:name', async (ctx) => {
    ctx.state.route = 'receivers';
    const name = ctx.params['name'] ?? '';
    const path = files.get(name);
    if (path === undefined) throw new DomainError('not_found', { detail: 'There is no such receiver.' });
    ctx.set('Cache-Control', 'public, max-age=300');
    ctx.attachment(name);
    await sendDocument(ctx, { type: 'text/plain; charset=utf-8', body: await readFile(new URL(path, folder)) });
  });
  return router;
}
