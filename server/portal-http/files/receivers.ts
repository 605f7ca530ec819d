import { readFile } from 'node:fs/promises';
import Router from '@koa/router';
import { DomainError } from '../../domain/shared/DomainError.ts';
import type { PortalState } from '../requestContext.ts';
import { sendDocument } from '../sendDocument.ts';

/** Where the build has put them: those of the kit's samples stand beside the one of the guide. */
const folder = new URL('../../../docs/', import.meta.url);
const files = new Map([
  ['receiver.ts', 'receivers/typescript/receiver.ts'],
  ['receiver.py', 'samples/python/receiver.py'],
  ['receiver.go', 'samples/go/receiver.go'],
  ['go.mod', 'samples/go/go.mod'],
  ['sync.py', 'samples/python/sync.py'],
  ['sync.go', 'samples/go/sync/sync.go'],
  ['Operator.java', 'samples/java/Operator.java'],
  ['operator.sh', 'samples/curl/operator.sh'],
]);

/** The complete receivers of the guide “Webhooks” and the samples of the guide “Syncing”, for operators to copy. */
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
