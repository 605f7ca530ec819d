import { readFile } from 'node:fs/promises';
import Router from '@koa/router';
import { parse } from 'yaml';
import { Authority } from '../domain/certificate/Authority.ts';
import { DomainError } from '../domain/shared/DomainError.ts';
import { errorCatalogue, type ErrorCode } from '../domain/shared/errorCatalogue.ts';
import type { PortalDependencies } from './portalDependencies.ts';

const contract = new URL('../../rest-api/contract/openapi.yaml', import.meta.url);

/** The public documents: the machine contract, the authorities' certificates, the problem pages. */
export function documents({ orm, machineApiCa }: PortalDependencies): Router {
  const router = new Router();
  router.get('/openapi.yaml', async (ctx) => {
    ctx.type = 'application/yaml';
    ctx.body = await readFile(contract, 'utf8');
  });
  router.get('/openapi.json', async (ctx) => {
    ctx.body = parse(await readFile(contract, 'utf8'));
  });
  router.get('/ca/:id.pem', async (ctx) => {
    const id = ctx.params['id'] ?? '';
    const authority = /^[0-9a-z-]+$/.test(id) ? await orm.em.fork().findOne(Authority, { id }) : null;
    if (!authority) throw new DomainError('not_found', { detail: 'There is no such certificate authority.' });
    ctx.type = 'application/pem-certificate-chain';
    ctx.body = authority.certificatePem;
  });
  router.get('/problems/:code', (ctx) => {
    const code = ctx.params['code'] ?? '';
    if (!Object.hasOwn(errorCatalogue, code)) throw new DomainError('not_found', { detail: 'There is no such problem.' });
    ctx.type = 'html';
    ctx.body = problemPage(code as ErrorCode);
  });
  if (machineApiCa !== undefined) {
    router.get('/dev/machine-api-ca.pem', (ctx) => {
      ctx.type = 'application/pem-certificate-chain';
      ctx.attachment('ca.pem');
      ctx.body = machineApiCa;
    });
  }
  return router;
}

/** A page that explains one code of the catalogue; its words are all ours, so nothing needs escaping. */
function problemPage(code: ErrorCode): string {
  const { status, title, advice } = errorCatalogue[code];
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Operator Integration Service</title></head>
<body><main><h1>${title}</h1><p>Code <code>${code}</code>, HTTP status ${status}.</p><p>${advice}</p></main></body>
</html>`;
}
