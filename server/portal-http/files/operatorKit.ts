import { readFile } from 'node:fs/promises';
import Router from '@koa/router';
import { DomainError } from '../../domain/shared/DomainError.ts';
import type { PortalState } from '../requestContext.ts';
import { sendDocument } from '../sendDocument.ts';

/** Where `npm run build:kit` puts what is served, as seen from the sources (in tests) and from the compiled program. */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/packages/' : '../../../packages/', import.meta.url);
const tarball = /^svc-operator-kit-[\w.-]+\.tgz$/;

/** The operators' package: each version, whose bytes never change, and the list of them. */
export function operatorKit(): Router<PortalState> {
  const router = new Router<PortalState>();
  router.get('/kit/:file', async (ctx) => {
    ctx.state.route = 'operator_kit';
    const file = ctx.params['file'] ?? '';
    const isVersion = tarball.test(file);
    const body = isVersion || file === 'versions.json' ? await contentOf(file) : null;
    if (!body) throw new DomainError('not_found', { detail: 'There is no such version of the kit; /kit/versions.json lists them.' });
    ctx.set({
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': isVersion ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
    });
    if (isVersion) ctx.attachment(file);
    await sendDocument(ctx, { type: isVersion ? 'application/gzip' : 'application/json', body });
  });
  return router;
}

/** Null if there is no such file. */
async function contentOf(file: string): Promise<Buffer | null> {
  try {
    return await readFile(new URL(file, folder));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
